#include "dolmen/entity/changes.h"

#include <optional>
#include <utility>

namespace dolmen::entity {

ChangeList::ChangeList() = default;
ChangeList::ChangeList(const ChangeList& other) = default;
ChangeList::ChangeList(ChangeList&& other) noexcept = default;
ChangeList& ChangeList::operator=(const ChangeList& other) = default;
ChangeList& ChangeList::operator=(ChangeList&& other) noexcept = default;
ChangeList::~ChangeList() = default;

void EncodeOrNull(const AttributeSpec& attribute, const void* value, AttributeValue* to) {
  if (!attribute.is_present(value) || !attribute.encode(value, to).ok()) *to = nullptr;
}

ConditionBuilder HasAttributesOf(const EntitySpec& entity, const void* value) {
  std::optional<ConditionBuilder> all;
  for (const AttributeSpec& attribute : entity.attributes) {
    if (attribute.in_key || attribute.hide != nullptr || attribute.rest != nullptr) continue;
    AttributeValue encoded;
    EncodeOrNull(attribute, value, &encoded);
    const Attr stored(attribute.name);
    const ConditionBuilder same =
        attribute.is_present(value) ? stored == encoded : AttributeNotExists(stored);
    all = all ? *all && same : same;
  }
  return all.value_or(AttributeExists(entity.type_attribute));
}

namespace {

Change& Append(std::size_t attribute, Change::Kind kind, ChangeList* list) {
  if (list->changes.empty()) list->changes.reserve(4);  // enough for most updates
  Change& change = list->changes.emplace_back();
  change.attribute = attribute;
  change.kind = kind;
  return change;
}

}  // namespace

// Sets the fields one by one, because GCC 12 warns at -O3 about a temporary Change.
void AppendChange(std::size_t attribute, Change::Kind kind, AttributeValue value, Status encoded,
                  ChangeList* list) {
  Change& change = Append(attribute, kind, list);
  change.value = std::move(value);
  change.encoded = std::move(encoded);
}

void AppendEncoded(const EntitySpec& entity, std::size_t attribute, Change::Kind kind,
                   const void* value, ChangeList* list) {
  const AttributeSpec& spec = entity.attributes[attribute];
  if (spec.is_present(value)) {
    Change& change = Append(attribute, kind, list);
    change.encoded = spec.encode(value, &change.value);
  } else if (kind == Change::Kind::kSet) {
    Append(attribute, Change::Kind::kRemove, list);
  }
}

void AppendChangesBehind(const EntitySpec& entity, const void* member_id, Change::Kind kind,
                         const void* value, ChangeList* list) {
  for (std::size_t i = 0; i < entity.attributes.size(); ++i) {
    const AttributeSpec& attribute = entity.attributes[i];
    if (!attribute.lies_behind(member_id) || attribute.is_read_only) continue;
    const bool is_present = attribute.is_present(value);
    if (!is_present && kind == Change::Kind::kSetIfAbsent) continue;
    Change& change = Append(i, is_present ? kind : Change::Kind::kRemove, list);
    change.removes_struct = !attribute.is_reachable(value);
    if (is_present) change.encoded = attribute.encode(value, &change.value);
  }
}

}  // namespace dolmen::entity
