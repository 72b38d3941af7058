#include "command/describe.h"

#include "command/text.h"

namespace dolmen::command {
namespace {

KeyAttributes TableKeys(const TableDescription& table) {
  KeyAttributes keys{.partition = {table.partition_key}};
  if (table.sort_key) keys.sort = {*table.sort_key};
  return keys;
}

Status NoSuchIndex(const TableDescription& table, const std::string& index) {
  std::string names;
  for (const auto& global : table.global_secondary_indexes) names += " " + global.index.name;
  for (const auto& local : table.local_secondary_indexes) names += " " + local.index.name;
  return Status::Validation("the table " + table.name + " has no index " + Printable(index) +
                            (names.empty() ? "; it has no indexes" : "; it has" + names));
}

}  // namespace

Result<KeyAttributes> KeysOf(const TableDescription& table, const std::string& index) {
  if (index.empty()) return TableKeys(table);
  for (const auto& global : table.global_secondary_indexes) {
    if (global.index.name != index) continue;
    return KeyAttributes{.partition = global.index.partition_key, .sort = global.index.sort_key};
  }
  for (const auto& local : table.local_secondary_indexes) {
    if (local.index.name != index) continue;
    return KeyAttributes{.partition = {table.partition_key}, .sort = {local.index.sort_key}};
  }
  return NoSuchIndex(table, index);
}

std::string KeysText(const KeyAttributes& keys) {
  std::string text;
  for (const auto* part : {&keys.partition, &keys.sort}) {
    for (const KeyAttribute& key : *part) {
      text.append(text.empty() ? "" : " ").append(Printable(key.name)).append(":");
      text.append(AttributeTypeName(key.type));
    }
  }
  return text;
}

}  // namespace dolmen::command
