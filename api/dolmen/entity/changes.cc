#include "dolmen/entity/changes.h"

namespace dolmen::entity {

void AppendChangesBehind(const EntitySpec& entity, const void* member_id, Change::Kind kind,
                         const void* value, ChangeList* list) {
  for (std::size_t i = 0; i < entity.attributes.size(); ++i) {
    const AttributeSpec& attribute = entity.attributes[i];
    if (!attribute.lies_behind(member_id) || attribute.is_read_only) continue;
    const bool is_present = attribute.is_present(value);
    if (!is_present && kind == Change::Kind::kSetIfAbsent) continue;
    Change& change = list->changes.emplace_back();
    change.attribute = i;
    change.kind = is_present ? kind : Change::Kind::kRemove;
    change.removes_struct = !attribute.is_reachable(value);
    if (is_present) change.encoded = attribute.encode(value, &change.value);
  }
}

}  // namespace dolmen::entity
