#include "remote/remote_table.h"

#include <algorithm>

namespace dolmen::remote {
namespace {

void AddName(const KeyAttribute& attribute, std::vector<std::string>* names) {
  if (std::ranges::find(*names, attribute.name) == names->end()) names->push_back(attribute.name);
}

}  // namespace

std::vector<std::string> TableDefinition::TableKeys() const {
  std::vector<std::string> names = {table.partition_key.name};
  if (table.sort_key) AddName(*table.sort_key, &names);
  return names;
}

std::vector<std::string> TableDefinition::KeysOf(std::string_view index) const {
  if (index.empty()) return TableKeys();
  std::vector<std::string> names;
  for (const GlobalSecondaryIndexDescription& described : table.global_secondary_indexes) {
    if (described.index.name != index) continue;
    for (const KeyAttribute& attribute : described.index.partition_key) AddName(attribute, &names);
    for (const KeyAttribute& attribute : described.index.sort_key) AddName(attribute, &names);
  }
  for (const LocalSecondaryIndexDescription& described : table.local_secondary_indexes) {
    if (described.index.name != index) continue;
    names.push_back(table.partition_key.name);
    AddName(described.index.sort_key, &names);
  }
  if (names.empty()) return names;
  AddName(table.partition_key, &names);
  if (table.sort_key) AddName(*table.sort_key, &names);
  return names;
}

std::optional<HiddenItems> TableDefinition::HiddenFrom(const std::optional<bool>& asked,
                                                       Timestamp now) const {
  if (time_to_live.attribute_name.empty() || !asked.value_or(time_to_live.hide_expired)) {
    return std::nullopt;
  }
  return HiddenItems{.attribute = time_to_live.attribute_name, .times = engine::ExpiredTimes(now)};
}

}  // namespace dolmen::remote
