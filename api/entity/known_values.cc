#include "entity/known_values.h"

#include <algorithm>
#include <string>

#include "dolmen/entity/item.h"
#include "engine/value/stored_form.h"
#include "entity/write_constants.h"

namespace dolmen::entity {

bool KnownValues::Read(const Item& key, std::span<const UpdateStep> steps) {
  if (!ReadKey(key)) return false;
  std::vector<std::size_t> removed;
  for (const UpdateStep& step : steps) {
    const auto spec = std::ranges::find(entity_.attributes, step.attribute, &AttributeSpec::name);
    if (spec == entity_.attributes.end()) continue;  // the type attribute
    const auto position = static_cast<std::size_t>(spec - entity_.attributes.begin());
    if (step.kind == Change::Kind::kRemove) {
      removed.push_back(position);
    } else if (!ReadStep(step, position)) {
      return false;
    }
  }
  // A removed attribute has its initial value, or none if the optional struct around it is empty.
  for (const std::size_t position : removed) {
    is_known_[position] =
        entity_.attributes[position].is_reachable(values_.get()) ||
        std::ranges::all_of(FillersOf(entity_, position), [&](std::size_t filler) {
          return std::ranges::find(removed, filler) != removed.end();
        });
  }
  return true;
}

bool KnownValues::ReadKey(const Item& key) {
  const Result<StoredItem> stored = internal::ToStored(key);
  if (!stored.ok() || !ReadPrimaryKey(entity_, stored->view(), values_.get()).ok()) return false;
  for (const std::size_t position : entity_.write_constants().in_key()) {
    const AttributeSpec& attribute = entity_.attributes[position];
    const AttributeView whole = stored->view()[attribute.name];  // the attribute is the whole key
    if (whole && !attribute.decode(whole, values_.get()).ok()) return false;
    is_known_[position] = is_in_key_[position] = true;
  }
  return true;
}

bool KnownValues::ReadStep(const UpdateStep& step, std::size_t attribute) {
  is_known_[attribute] = step.kind == Change::Kind::kSet;
  if (!is_known_[attribute]) return true;
  std::string payload;
  if (!internal::AppendStored(step.value, &payload).ok()) return false;
  const AttributeView view(step.value.type(), payload);
  return entity_.attributes[attribute].decode(view, values_.get()).ok();
}

bool KnownValues::Derive() {
  const OwnedStruct initial(entity_);
  for (std::size_t i = 0; i < entity_.attributes.size(); ++i) {
    const AttributeSpec& attribute = entity_.attributes[i];
    if (!attribute.IsComputed()) continue;
    if (attribute.inputs.empty() || !attribute.is_reachable(initial.get())) return false;
    bool are_in_key = true;
    for (const void* const input : attribute.inputs) {
      const std::optional<std::size_t> source = SourceOf(input);
      if (!source || !is_known_[*source]) return false;
      are_in_key = are_in_key && is_in_key_[*source];
    }
    attribute.derive(values_.get());
    is_known_[i] = true;
    is_in_key_[i] = are_in_key;
  }
  return true;
}

std::optional<std::size_t> KnownValues::SourceOf(const void* member_id) const {
  std::optional<std::size_t> source;
  for (std::size_t i = 0; i < entity_.attributes.size(); ++i) {
    const AttributeSpec& attribute = entity_.attributes[i];
    if (attribute.member_id != member_id && !attribute.lies_behind(member_id)) continue;
    if (source) return std::nullopt;
    source = i;
  }
  return source;
}

}  // namespace dolmen::entity
