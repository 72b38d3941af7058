// Query and Scan of the reference table.

#include <algorithm>
#include <map>
#include <utility>

#include "tests/model/reference_capacity.h"
#include "tests/model/reference_expression.h"
#include "tests/model/reference_table.h"

namespace dolmen::test {
namespace {

using Operator = SortKeyCondition::Operator;

const std::string& BytesOf(const AttributeValue& value) {
  const auto* const text = value.get_if<std::string>();
  return text != nullptr ? *text : value.get_if<Binary>()->bytes;
}

bool Meets(const AttributeValue& sort, const SortKeyCondition& condition) {
  if (condition.op == Operator::kBeginsWith) {
    return BytesOf(sort).starts_with(BytesOf(condition.value));
  }
  const int order = *Compare(sort, condition.value);
  switch (condition.op) {
    case Operator::kEqual:
      return order == 0;
    case Operator::kLess:
      return order < 0;
    case Operator::kLessOrEqual:
      return order <= 0;
    case Operator::kGreater:
      return order > 0;
    case Operator::kGreaterOrEqual:
      return order >= 0;
    default:
      return order >= 0 && *Compare(sort, condition.upper) <= 0;
  }
}

bool IsInPartition(const Item& item, const QueryOperation& operation, const Shape& shape) {
  if (!operation.shards.empty()) {
    const AttributeValue& value = item.at(shape.partition[0].name);
    return std::find(operation.shards.begin(), operation.shards.end(), value) !=
           operation.shards.end();
  }
  for (std::size_t i = 0; i < shape.partition.size(); ++i) {
    if (item.at(shape.partition[i].name) != operation.partition[i]) return false;
  }
  return true;
}

bool MeetsSort(const Item& item, const QueryOperation& operation, const Shape& shape) {
  const std::size_t equals = operation.sort_equals.size();
  for (std::size_t i = 0; i < equals; ++i) {
    if (item.at(shape.sort[i].name) != operation.sort_equals[i]) return false;
  }
  return !operation.sort || Meets(item.at(shape.sort[equals].name), *operation.sort);
}

int CompareBy(const std::vector<KeyAttribute>& keys, const Item& a, const Item& b) {
  for (const KeyAttribute& key : keys) {
    if (const int order = *Compare(a.at(key.name), b.at(key.name)); order != 0) return order;
  }
  return 0;
}

// Compares two items by sort key and then by table key. A Query returns the
// items of one partition in this order. A Query of Partitions returns the items of all its
// partitions in this order.
int CompareInside(const Shape& shape, const Item& a, const Item& b) {
  const int order = CompareBy(shape.sort, a, b);
  return order != 0 ? order : CompareBy(shape.table_key, a, b);
}

Item HeldPart(const Item& item, const Shape& shape) {
  Item part;
  for (const auto& [name, value] : item) {
    if (shape.Holds(name)) part.emplace(name, value);
  }
  return part;
}

bool NamesMore(const Condition& condition, const Shape& shape) {
  return std::any_of(condition.operands.begin(), condition.operands.end(),
                     [&](const Operand& operand) {
                       return operand.path && !shape.Holds(operand.path->attribute);
                     }) ||
         std::any_of(condition.children.begin(), condition.children.end(),
                     [&](const Condition& child) { return NamesMore(child, shape); });
}

// Returns true if the operation needs attributes that the index does not hold.
bool AsksForMore(const ReadOperation& operation, const Shape& shape) {
  if (!shape.held) return false;
  if (operation.select == Select::kAllAttributes) return true;
  if (operation.filter && NamesMore(*operation.filter, shape)) return true;
  return std::any_of(operation.projection.begin(), operation.projection.end(),
                     [&](const Path& path) { return !shape.Holds(path.attribute); });
}

}  // namespace

bool ReferenceTable::IsIn(const Item& item, const std::string& index) const {
  const auto parts = key_parts_.find(index);
  if (parts == key_parts_.end()) return true;  // the table itself
  return std::all_of(parts->second.begin(), parts->second.end(), [&](const KeyPart& part) {
    return std::all_of(part.attributes.begin(), part.attributes.end(),
                       [&](const KeyAttribute& key) {
                         return item.contains(key.name) && CanBeKey(item.at(key.name), key);
                       }) &&
           part.BytesOf(item) <= part.bytes_max;
  });
}

std::optional<Item> ReferenceTable::EntryOf(const Item& item, const std::string& index) const {
  if (!IsIn(item, index)) return std::nullopt;
  return HeldPart(item, shapes_.at(index));
}

// Returns true if the operation is invalid, whatever the table contains.
bool ReferenceTable::IsRefused(const ReadOperation& operation) const {
  const auto found = shapes_.find(operation.index);
  if (found == shapes_.end()) return true;
  const Shape& shape = found->second;
  const bool projects = !operation.projection.empty();
  if (shape.kind == Shape::Kind::kGlobal) {
    if (operation.consistent_read) return true;
    for (const Path& path : operation.projection) {
      if (!shape.Holds(path.attribute)) return true;
    }
  }
  switch (operation.select) {
    case Select::kDefault:
      return false;
    case Select::kAllAttributes:
      return projects || (shape.kind == Shape::Kind::kGlobal && shape.held);
    case Select::kAllProjectedAttributes:
      return projects || shape.kind == Shape::Kind::kTable;
    case Select::kSpecificAttributes:
      return !projects;
    case Select::kCount:
      return projects;
  }
  return false;
}

template <typename Output>
void ReferenceTable::Evaluate(const ReadOperation& operation, const Item& item,
                              std::vector<Item>* items, Output* output) const {
  const Shape& shape = shapes_.at(operation.index);
  const Item entry = HeldPart(item, shape);
  // If an operation on a local index needs attributes that the index does not hold, Dolmen reads
  // them from the table. So the operation sees the whole item.
  const Item& seen = shape.kind == Shape::Kind::kLocal ? item : entry;
  ++output->scanned_count;
  if (operation.filter && !Holds(*operation.filter, seen)) return;
  ++output->count;
  if (operation.select == Select::kCount) return;
  if (!operation.projection.empty()) {
    items->push_back(Project(operation.projection, seen));
  } else {
    items->push_back(operation.select == Select::kAllAttributes ? seen : entry);
  }
}

std::vector<ConsumedCapacity> ReferenceTable::CostOf(
    const ReadOperation& operation, const std::vector<const Item*>& items,
    const std::vector<AttributeValue>& shards) const {
  Bill bill(operation.capacity);
  if (!bill.wanted()) return {};
  const Shape& shape = shapes_.at(operation.index);
  // A Query of several partitions costs as much as a separate Query of each partition.
  std::vector<std::size_t> bytes(std::max<std::size_t>(shards.size(), 1), 0);
  for (const Item* const item : items) {
    const auto shard =
        shards.empty() ? shards.begin()
                       : std::find(shards.begin(), shards.end(), item->at(shape.partition[0].name));
    bytes[static_cast<std::size_t>(shard - shards.begin())] += SizeOf(HeldPart(*item, shape));
  }
  for (const std::size_t size : bytes) {
    bill.AddRead(*this, operation.index, size, operation.consistent_read);
  }
  // Each fetch of an item from the table by a local index counts as a separate read.
  const bool fetches = shape.kind == Shape::Kind::kLocal && AsksForMore(operation, shape);
  for (const Item* const item : items) {
    if (fetches) bill.AddRead(*this, "", SizeOf(*item), operation.consistent_read);
  }
  return bill.Total();
}

std::vector<const Item*> ReferenceTable::InRange(const QueryOperation& operation,
                                                 const Item& start_key) const {
  const Shape& shape = shapes_.at(operation.index);
  std::vector<const Item*> items;
  for (const auto& [key, item] : items_) {
    if (!IsIn(item, operation.index) || !IsInPartition(item, operation, shape)) continue;
    if (!MeetsSort(item, operation, shape)) continue;
    if (!start_key.empty()) {
      const int order = CompareInside(shape, item, start_key);
      if (operation.forward ? order <= 0 : order >= 0) continue;
    }
    items.push_back(&item);
  }
  std::sort(items.begin(), items.end(), [&](const Item* a, const Item* b) {
    const int order = CompareInside(shape, *a, *b);
    return operation.forward ? order < 0 : order > 0;
  });
  return items;
}

Page ReferenceTable::Query(const QueryOperation& operation, const Item& start_key) const {
  if (IsRefused(operation)) return {.code = StatusCode::kValidation};
  const Shape& shape = shapes_.at(operation.index);
  Page page;
  std::vector<const Item*> evaluated;
  for (const Item* const item : InRange(operation, start_key)) {
    Evaluate(operation, *item, &page.items, &page);
    evaluated.push_back(item);
    if (page.scanned_count != operation.limit) continue;
    // A partition of a table without sort key has one item, so no item can follow.
    const bool is_only_item =
        operation.index.empty() && !description_.sort_key && operation.shards.size() < 2;
    if (!is_only_item) page.last_evaluated_key = PartOf(*item, shape.order);
    break;
  }
  page.capacity = CostOf(operation, evaluated, operation.shards);
  return page;
}

Whole ReferenceTable::Scan(const ScanOperation& operation) const {
  if (IsRefused(operation)) return {.code = StatusCode::kValidation};
  const Shape& shape = shapes_.at(operation.index);
  std::map<Key, std::vector<const Item*>, KeyLess> partitions;
  for (const auto& [key, item] : items_) {
    if (!IsIn(item, operation.index)) continue;
    Key partition;
    for (const KeyAttribute& part : shape.partition) partition.push_back(item.at(part.name));
    partitions[partition].push_back(&item);
  }
  Whole whole;
  std::vector<const Item*> evaluated;
  for (auto& [partition, items] : partitions) {
    std::sort(items.begin(), items.end(),
              [&](const Item* a, const Item* b) { return CompareInside(shape, *a, *b) < 0; });
    std::vector<Item> returned;
    for (const Item* const item : items) Evaluate(operation, *item, &returned, &whole);
    evaluated.insert(evaluated.end(), items.begin(), items.end());
    if (!returned.empty()) whole.partitions.push_back(std::move(returned));
  }
  whole.capacity = CostOf(operation, evaluated, {});
  return whole;
}

}  // namespace dolmen::test
