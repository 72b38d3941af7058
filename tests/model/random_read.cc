#include <algorithm>
#include <set>
#include <utility>

#include "tests/model/random_operation.h"
#include "tests/model/reference_expression.h"

namespace dolmen::test {
namespace {

using Operator = SortKeyCondition::Operator;

}  // namespace

std::vector<Path> OperationGenerator::Projection(const Shape& shape) {
  std::vector<std::string> attributes = AttributeNames();
  for (const KeyAttribute& key : KeyOf(table())) attributes.push_back(key.name);
  if (!random().OneIn(6)) {
    std::erase_if(attributes, [&](const std::string& name) { return !shape.Holds(name); });
  }
  random().Shuffle(&attributes);
  attributes.resize(std::min(attributes.size(), 1 + random().Below(4)));
  std::vector<Path> paths;
  for (const std::string& attribute : attributes) {
    if (attribute == "m" && random().OneIn(2)) {
      for (const std::string& member : MemberNames()) {
        if (random().OneIn(2)) paths.push_back({.attribute = attribute, .member = member});
      }
    } else if (attribute == "l" && random().OneIn(2)) {
      for (const std::size_t i : {2u, 0u, 1u}) {
        if (random().OneIn(2)) paths.push_back({.attribute = attribute, .index = i});
      }
    } else {
      paths.push_back({.attribute = attribute});
    }
  }
  return paths;
}

ReturnConsumedCapacity OperationGenerator::SomeCapacity() {
  return random().OneIn(5) ? static_cast<ReturnConsumedCapacity>(random().Below(3))
                           : ReturnConsumedCapacity::kNone;
}

GetOperation OperationGenerator::Get() {
  GetOperation get{.key = Key(), .consistent_read = random().OneIn(2), .capacity = SomeCapacity()};
  if (random().OneIn(2)) get.projection = Projection(ShapeOf(table(), ""));
  return get;
}

std::vector<Item> OperationGenerator::Keys(std::size_t count) {
  std::vector<Item> keys;
  const bool distinct = !random().OneIn(50);
  std::set<std::string> seen;
  for (std::size_t i = 0; i < count; ++i) {
    Item key = Key();
    const bool is_new = seen.insert(ToString(AttributeValue(key))).second;
    if (is_new || !distinct) keys.push_back(std::move(key));
  }
  return keys;
}

void OperationGenerator::ChooseIndex(ReadOperation* read) {
  if (random().OneIn(2)) read->index = random().Pick(IndexNames(table()));
}

// Chooses parameters that are seldom invalid for the index or the table.
void OperationGenerator::ChooseWhat(const Shape& shape, ReadOperation* read) {
  const bool is_global = shape.kind == Shape::Kind::kGlobal;
  if (!random().OneIn(3)) read->limit = static_cast<std::uint32_t>(1 + random().Below(6));
  read->capacity = SomeCapacity();
  read->consistent_read = random().OneIn(is_global ? 50 : 3);
  if (random().OneIn(3)) read->projection = Projection(shape);
  if (random().OneIn(30)) {
    read->select = static_cast<Select>(random().Below(5));
  } else if (!read->projection.empty()) {
    if (random().OneIn(3)) read->select = Select::kSpecificAttributes;
  } else if (random().OneIn(5)) {
    read->select = Select::kCount;
  } else if (random().OneIn(4)) {
    const bool has_all = !is_global || !shape.held;
    read->select = has_all ? Select::kAllAttributes : Select::kAllProjectedAttributes;
  }
}

SortKeyCondition OperationGenerator::SortCondition(const KeyAttribute& key) {
  SortKeyCondition sort{static_cast<Operator>(random().Below(7)), KeyValue(key), {}};
  if (sort.op == Operator::kBeginsWith && key.type == AttributeType::kN) {
    sort.op = Operator::kGreater;  // begins_with does not apply to numbers
  }
  if (sort.op == Operator::kBetween) {
    sort.upper = KeyValue(key);
    if (*Compare(sort.upper, sort.value) < 0) std::swap(sort.value, sort.upper);
  }
  return sort;
}

void OperationGenerator::ChoosePartition(const Shape& shape, QueryOperation* query) {
  const bool several = shape.partition.size() > 1 || shape.sort.size() > 1;
  query->as_expression = several || random().OneIn(2);
  if (!several && random().OneIn(5)) {
    query->as_expression = false;
    for (std::size_t i = 1 + random().Below(5); i > 0; --i) {
      const AttributeValue shard = KeyValue(shape.partition[0]);
      const auto& shards = query->shards;
      if (std::find(shards.begin(), shards.end(), shard) != shards.end()) continue;
      query->shards.push_back(shard);
    }
    return;
  }
  for (const KeyAttribute& key : shape.partition) query->partition.push_back(KeyValue(key));
}

QueryOperation OperationGenerator::Query() {
  QueryOperation query;
  ChooseIndex(&query);
  const Shape shape = ShapeOf(table(), query.index);
  ChoosePartition(shape, &query);
  if (!shape.sort.empty() && random().OneIn(2)) {
    for (std::size_t i = random().Below(shape.sort.size()); i > 0; --i) {
      query.sort_equals.push_back(KeyValue(shape.sort[query.sort_equals.size()]));
    }
    const bool more = query.sort_equals.empty() || random().OneIn(2);
    if (more) query.sort = SortCondition(shape.sort[query.sort_equals.size()]);
  }
  query.forward = random().OneIn(2);
  if (random().OneIn(2)) query.filter = SomeCondition(&shape, 2);
  ChooseWhat(shape, &query);
  return query;
}

ScanOperation OperationGenerator::Scan() {
  ScanOperation scan;
  ChooseIndex(&scan);
  if (random().OneIn(2)) scan.filter = SomeCondition(nullptr, 2);
  if (random().OneIn(3)) scan.total_segments = static_cast<std::uint32_t>(1 + random().Below(5));
  ChooseWhat(ShapeOf(table(), scan.index), &scan);
  return scan;
}

}  // namespace dolmen::test
