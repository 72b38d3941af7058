#include "engine/table/start_key.h"

#include <boost/container/static_vector.hpp>
#include <utility>

namespace dolmen::engine {
namespace {

// Table and index key attributes, each once: two of each at most.
using KeyAttributes = boost::container::static_vector<const KeyAttribute*, 4>;

void AddMissing(const KeySchema& keys, KeyAttributes* attributes) {
  const auto add = [&](const KeyAttribute& attribute) {
    for (const KeyAttribute* known : *attributes) {
      if (known->name == attribute.name) return;
    }
    attributes->push_back(&attribute);
  };
  add(keys.partition);
  if (keys.sort) add(*keys.sort);
}

KeyAttributes AttributesOf(const QueryPlan& plan) {
  KeyAttributes attributes;
  AddMissing(plan.table->keys, &attributes);
  if (plan.index != nullptr) AddMissing(plan.index->keys, &attributes);
  return attributes;
}

Status CheckAttributes(const QueryPlan& plan, const Item& start) {
  const KeyAttributes attributes = AttributesOf(plan);
  if (start.size() != attributes.size()) {
    return Status::Validation("The provided starting key is invalid");
  }
  for (const KeyAttribute* attribute : attributes) {
    const auto found = start.find(attribute->name);
    if (found == start.end()) return Status::Validation("The provided starting key is invalid");
    if (found->second.type() == attribute->type) {
      if (!SortableBytes(found->second).empty()) continue;
      return Status::Validation("The provided starting key is invalid: " +
                                EmptyKeyValue(*attribute).message());
    }
    const bool of_table = plan.table->keys.Has(attribute->name);
    return Status::Validation(std::string(of_table ? "The provided starting key is invalid: " : "")
                                  .append("The provided key element does not match the schema"));
  }
  return {};
}

// REQUIRES: CheckAttributes was ok
KeyBytes BytesOf(const KeySchema& keys, const Item& start) {
  return {SortableBytes(start.find(keys.partition.name)->second),
          keys.sort ? SortableBytes(start.find(keys.sort->name)->second) : std::string_view()};
}

EncodedKey PositionOf(const QueryPlan& plan, const Item& start) {
  const TableSchema& table = *plan.table;
  const KeyBytes row = BytesOf(table.keys, start);
  if (plan.index == nullptr) return RowKey(table.keyspace, table.keys, row);
  return IndexEntryKey(plan.index->keyspace, plan.index->keys, BytesOf(plan.index->keys, start),
                       table.keys, row);
}

}  // namespace

Status ApplyStartKey(const QueryInput& input, std::string_view partition, QueryPlan* plan) {
  const Item& start = input.exclusive_start_key;
  if (start.empty()) return {};
  if (Status valid = CheckAttributes(*plan, start); !valid.ok()) return valid;
  if (BytesOf(plan->keys(), start).partition != partition) {
    return Status::Validation(
        "The provided starting key is outside query boundaries based on provided conditions");
  }
  EncodedKey position = PositionOf(*plan, start);
  if (!plan->range.Contains(position.bytes())) {
    return Status::Validation("The provided starting key does not match the range key predicate");
  }
  if (input.forward) {
    position.AdvancePast();
    plan->range.lower = std::move(position);
  } else {
    plan->range.upper = std::move(position);
  }
  return {};
}

Result<Item> EvaluatedKey(const QueryPlan& plan, const ItemView& item) {
  const KeyAttributes attributes = AttributesOf(plan);
  Item key;
  key.reserve(attributes.size());
  for (const KeyAttribute* attribute : attributes) {
    const AttributeView value = item[attribute->name];
    if (!value) return Status::Corruption("a stored item lacks its key " + attribute->name);
    Result<AttributeValue> copy = value.Copy();
    if (!copy.ok()) return copy.status();
    key.emplace(attribute->name, *std::move(copy));
  }
  return key;
}

}  // namespace dolmen::engine
