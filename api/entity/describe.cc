#include "dolmen/entity/describe.h"

#include <algorithm>

#include "entity/design_tables.h"

namespace dolmen {
namespace {

// Adds the index of the key to the table, or the sort key that an index in the table lacks.
void AddIndex(const entity::KeySpec& key, TableDescription* table) {
  if (key.is_local) {
    auto& locals = table->local_secondary_indexes;
    const bool is_known = std::ranges::any_of(
        locals, [&](const auto& local) { return local.index.name == key.index; });
    if (is_known) return;
    locals.push_back({.index = {.name = std::string(key.index), .sort_key = {key.SortName()}}});
    return;
  }
  auto& indexes = table->global_secondary_indexes;
  auto found = std::ranges::find_if(
      indexes, [&](const auto& index) { return index.index.name == key.index; });
  if (found == indexes.end()) {
    found = indexes.emplace(indexes.end());
    found->index = {.name = std::string(key.index), .partition_key = {{key.PartitionName()}}};
  }
  if (key.has_sort && found->index.sort_key.empty()) {
    found->index.sort_key = {{key.SortName()}};
  }
}

}  // namespace

TableDescription TableDesign::Table() const {
  const entity::KeySpec& primary = entities_.front()->primary();
  TableDescription table{.name = name_, .partition_key = {primary.PartitionName()}};
  if (primary.has_sort) table.sort_key = KeyAttribute{primary.SortName()};
  for (const entity::EntitySpec* entity : entities_) {
    for (const entity::KeySpec& key : entity->keys.subspan(1)) AddIndex(key, &table);
  }
  const auto name_of = [](const auto& index) { return index.index.name; };
  std::ranges::sort(table.global_secondary_indexes, {}, name_of);
  std::ranges::sort(table.local_secondary_indexes, {}, name_of);
  return table;
}

std::string TableDesign::KeyTable() const { return entity::KeyTable(entities_); }
std::string TableDesign::IndexTable() const { return entity::IndexTable(entities_); }
std::string TableDesign::PatternTable() const { return entity::PatternTable(patterns_); }

std::string TableDesign::ToMarkdown() const {
  std::string page = KeyTable();
  for (const std::string& table : {IndexTable(), PatternTable()}) {
    if (!table.empty()) page.append("\n").append(table);
  }
  return page;
}

}  // namespace dolmen
