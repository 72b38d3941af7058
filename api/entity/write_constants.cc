#include "entity/write_constants.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "dolmen/entity/entity_matcher.h"
#include "dolmen/entity/item.h"

namespace dolmen::entity {
namespace {

// Returns true if the text of the part has the whole value.
bool IsWhole(const KeySegment& segment) {
  return segment.format != PartFormat::kDate && segment.format != PartFormat::kLower;
}

// Returns WriteConstants::Index::absent for one part. Nothing: the entity always has a value. `initial`
// points to a struct with the values of its initialisers.
std::optional<std::vector<std::size_t>> AbsentTogether(const EntitySpec& entity,
                                                       const void* initial, std::size_t attribute) {
  const AttributeSpec& spec = entity.attributes[attribute];
  if (spec.in_key || spec.is_present(initial)) return std::nullopt;
  if (spec.is_reachable(initial)) return std::vector{attribute};
  std::vector<std::size_t> fillers = FillersOf(entity, attribute);
  const bool are_stored = std::ranges::none_of(
      fillers, [&](std::size_t filler) { return entity.attributes[filler].in_key; });
  if (!are_stored) return std::nullopt;
  return fillers;
}

std::vector<std::vector<std::size_t>> AbsentParts(const EntitySpec& entity, const void* initial,
                                                  const KeySpec& key) {
  std::vector<std::vector<std::size_t>> parts;
  for (std::size_t i = 0; i < entity.attributes.size(); ++i) {
    if (!key.HasPart(i)) continue;
    if (auto absent = AbsentTogether(entity, initial, i)) parts.push_back(*std::move(absent));
  }
  return parts;
}

}  // namespace

WriteConstants::WriteConstants(const EntitySpec& entity)
    : is_absent_(AttributeNotExists(entity.primary().partition_name)),
      has_type_(HasType(entity)),
      is_not_another_(IsNotAnother(entity)),
      computes_(std::ranges::any_of(entity.attributes, &AttributeSpec::IsComputed)) {
  for (const KeyTemplate* const part : {&entity.primary().partition, &entity.primary().sort}) {
    for (const KeySegment& segment : *part) {
      if (segment.attribute == KeySegment::kNoAttribute) continue;
      const auto position = static_cast<std::size_t>(segment.attribute);
      if (IsWhole(segment)) in_key_.push_back(position);
      // With kAny the text of a part can hold the separator that ends it.
      key_reads_back_ = key_reads_back_ && segment.format != PartFormat::kAny &&
                        entity.attributes[position].reads_back;
    }
  }
  const OwnedStruct initial(entity);
  for (const KeySpec& key : entity.keys.subspan(1)) {
    std::vector<std::string> names;
    if (!key.is_local) names.push_back(key.PartitionName());
    if (key.has_sort) names.push_back(key.SortName());
    std::erase_if(names, [&](const std::string& name) { return IsSharedKey(entity, name); });
    if (names.empty()) continue;
    indexes_.push_back({.key = &key,
                        .names = std::move(names),
                        .mark = key.MarkName(),
                        .has_mark = AttributeExists(key.MarkName()),
                        .absent = AbsentParts(entity, initial.get(), key)});
  }
  for (std::size_t i = 0; i < entity.attributes.size(); ++i) {
    const AttributeSpec& spec = entity.attributes[i];
    if (!spec.is_required || spec.in_key || spec.is_reachable(initial.get())) continue;
    const std::vector<std::size_t> fillers = FillersOf(entity, i);
    if (!fillers.empty()) optional_structs_[fillers].push_back(i);
  }
}

const WriteConstants& MakeWriteConstants(const EntitySpec& entity) {
  return *new WriteConstants(entity);  // never destroyed
}

std::vector<std::size_t> FillersOf(const EntitySpec& entity, std::size_t attribute) {
  std::vector<std::size_t> fillers;
  for (std::size_t i = 0; i < entity.attributes.size(); ++i) {
    const AttributeSpec& spec = entity.attributes[i];
    if (spec.decode == nullptr) continue;  // of Rest, which is not an attribute
    if (spec.lies_behind(entity.attributes[attribute].optional_id)) fillers.push_back(i);
  }
  return fillers;
}

}  // namespace dolmen::entity
