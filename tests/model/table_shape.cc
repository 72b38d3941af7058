#include "tests/model/table_shape.h"

#include <algorithm>

namespace dolmen::test {
namespace {

bool Names(const std::vector<KeyAttribute>& keys, const std::string& attribute) {
  return std::any_of(keys.begin(), keys.end(),
                     [&](const KeyAttribute& key) { return key.name == attribute; });
}

template <typename Index>
void SetHeld(const Index& index, Shape* shape) {
  if (index.projection == ProjectionType::kAll) return;
  shape->held.emplace(index.non_key_attributes.begin(), index.non_key_attributes.end());
  for (const KeyAttribute& key : shape->order) shape->held->insert(key.name);
}

void SetOrder(const CreateTableInput& table, Shape* shape) {
  shape->table_key = KeyOf(table);
  shape->order = shape->partition;
  shape->order.insert(shape->order.end(), shape->sort.begin(), shape->sort.end());
  for (const KeyAttribute& key : shape->table_key) {
    if (!Names(shape->order, key.name)) shape->order.push_back(key);
  }
}

}  // namespace

bool Shape::IsKey(const std::string& attribute) const {
  return Names(partition, attribute) || Names(sort, attribute);
}

std::vector<KeyAttribute> KeyOf(const CreateTableInput& table) {
  std::vector<KeyAttribute> key{table.partition_key};
  if (table.sort_key) key.push_back(*table.sort_key);
  return key;
}

Shape ShapeOf(const CreateTableInput& table, std::string_view index) {
  Shape shape{.partition = {table.partition_key}};
  if (table.sort_key) shape.sort = {*table.sort_key};
  for (const GlobalSecondaryIndex& global : table.global_secondary_indexes) {
    if (global.name != index) continue;
    shape = {
        .kind = Shape::Kind::kGlobal, .partition = global.partition_key, .sort = global.sort_key};
    SetOrder(table, &shape);
    SetHeld(global, &shape);
    return shape;
  }
  for (const LocalSecondaryIndex& local : table.local_secondary_indexes) {
    if (local.name != index) continue;
    shape.kind = Shape::Kind::kLocal;
    shape.sort = {local.sort_key};
    SetOrder(table, &shape);
    SetHeld(local, &shape);
    return shape;
  }
  SetOrder(table, &shape);
  return shape;
}

std::vector<std::string> IndexNames(const CreateTableInput& table) {
  std::vector<std::string> names{""};
  for (const auto& index : table.global_secondary_indexes) names.push_back(index.name);
  for (const auto& index : table.local_secondary_indexes) names.push_back(index.name);
  return names;
}

Item PartOf(const Item& item, const std::vector<KeyAttribute>& names) {
  Item part;
  for (const KeyAttribute& key : names) part.emplace(key.name, item.at(key.name));
  return part;
}

}  // namespace dolmen::test
