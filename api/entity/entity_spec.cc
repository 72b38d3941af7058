#include "dolmen/entity/entity_spec.h"

#include <algorithm>
#include <utility>

namespace dolmen::entity {
namespace {

// Returns the declared name of a key attribute. If no name is declared, returns the conventional
// name: the index's name and the suffix.
std::string NameOrDefault(std::string_view given, std::string_view index, std::string_view suffix) {
  return given.empty() ? std::string(index).append(suffix) : std::string(given);
}

}  // namespace

std::string KeySpec::PartitionName() const { return NameOrDefault(partition_name, index, "PK"); }
std::string KeySpec::SortName() const { return NameOrDefault(sort_name, index, "SK"); }

const KeySpec* EntitySpec::FindKey(std::string_view index) const {
  const auto found = std::ranges::find(keys, index, &KeySpec::index);
  return found == keys.end() ? nullptr : &*found;
}

const AttributeSpec* EntitySpec::version() const {
  const auto found = std::ranges::find(attributes, true, &AttributeSpec::is_version);
  return found == attributes.end() ? nullptr : &*found;
}

OwnedStruct::OwnedStruct(OwnedStruct&& other) noexcept
    : value_(std::exchange(other.value_, nullptr)), destroy_(other.destroy_) {}
OwnedStruct& OwnedStruct::operator=(OwnedStruct&& other) noexcept {
  std::swap(value_, other.value_);
  std::swap(destroy_, other.destroy_);
  return *this;
}
OwnedStruct::~OwnedStruct() {
  if (value_ != nullptr) destroy_(value_);
}

Status InvalidAttribute(const EntitySpec& entity, std::string_view attribute,
                        const std::string& message) {
  return Status::Validation(std::string(entity.name) + ": attribute " +
                            NameAttribute(attribute, message));
}

}  // namespace dolmen::entity
