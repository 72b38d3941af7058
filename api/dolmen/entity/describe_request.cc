#include "dolmen/entity/describe_request.h"

#include <string_view>

#include "dolmen/entity/query_planner.h"

namespace dolmen::entity {
namespace {

// Returns a key value in quotes. If the value ends with kLastCharacter, as the upper end of a range
// does, writes this character as an escape, because it is not printable.
std::string Quoted(const AttributeValue& value) {
  const auto* whole = value.get_if<std::string>();
  if (whole == nullptr) return "?";
  if (!whole->ends_with(kLastCharacter)) return "\"" + *whole + "\"";
  return "\"" + whole->substr(0, whole->size() - kLastCharacter.size()) + "\\u{10FFFF}\"";
}

std::string DescribeSort(const std::string& name, const SortKeyCondition& sort) {
  const std::string value = Quoted(sort.value);
  using Operator = SortKeyCondition::Operator;
  switch (sort.op) {
    case Operator::kEqual:
      return name + " = " + value;
    case Operator::kLess:
      return name + " < " + value;
    case Operator::kLessOrEqual:
      return name + " <= " + value;
    case Operator::kGreater:
      return name + " > " + value;
    case Operator::kGreaterOrEqual:
      return name + " >= " + value;
    case Operator::kBetween:
      return name + " BETWEEN " + value + " AND " + Quoted(sort.upper);
    case Operator::kBeginsWith:
      return "begins_with(" + name + ", " + value + ")";
  }
  return name;
}

std::string DescribeRange(const KeySpec& key, const QueryRange& range) {
  std::string text(key.PartitionName());
  const std::optional<SortKeyCondition>* sort_key = nullptr;
  if (const auto* const one = std::get_if<Partition>(&range)) {
    text.append(" = ").append(Quoted(one->key));
    sort_key = &one->sort_key;
  } else if (const auto* const several = std::get_if<Partitions>(&range)) {
    text.append(" IN (");
    for (const AttributeValue& partition : several->keys) {
      text.append(text.ends_with('(') ? "" : ", ").append(Quoted(partition));
    }
    text.append(")");
    sort_key = &several->sort_key;
  }
  if (sort_key != nullptr && *sort_key) text += ", " + DescribeSort(key.SortName(), **sort_key);
  return text;
}

// Returns the primary key of an item that may have more attributes.
Item OnlyKeyOf(const EntitySpec& entity, const Item& item) {
  Item key;
  for (const std::string_view name :
       {entity.primary().partition_name, entity.primary().sort_name}) {
    if (const auto found = item.find(name); found != item.end()) key.insert(*found);
  }
  return key;
}

// Returns the operation's name without "Item", as DynamoDB names the actions of a transaction:
// "Put".
std::string_view VerbOf(const Action& action) {
  std::string_view operation = OperationNameOf(action);
  if (operation.ends_with("Item")) operation.remove_suffix(std::string_view("Item").size());
  return operation;
}

}  // namespace

std::string DescribeItemKey(const Item& key) {
  std::string text;
  for (const auto& [name, value] : key) {
    text.append(text.empty() ? "" : ", ").append(name).append(" = ").append(Quoted(value));
  }
  return text;
}

std::string DescribeQuery(const QueryInput& input, const KeySpec& key) {
  std::string text;
  if (!input.index.empty()) text = "IndexName = " + input.index + ", ";
  text += DescribeRange(key, input.key_condition);
  if (!input.forward) text += ", ScanIndexForward = false";
  if (input.limit) text += ", Limit = " + std::to_string(*input.limit);
  if (input.filter.given()) text += ", FilterExpression";
  if (!input.exclusive_start_key.empty()) text += ", ExclusiveStartKey";
  return text;
}

std::string DescribeScan(const ScanInput& input) {
  std::string text;
  const auto add = [&](const std::string& option) {
    text.append(text.empty() ? "" : ", ").append(option);
  };
  if (!input.index.empty()) add("IndexName = " + input.index);
  if (input.segment && input.total_segments) {
    add("Segment = " + std::to_string(*input.segment) + " of " +
        std::to_string(*input.total_segments));
  }
  if (input.limit) add("Limit = " + std::to_string(*input.limit));
  if (input.filter.given()) add("FilterExpression");
  if (!input.exclusive_start_key.empty()) add("ExclusiveStartKey");
  return text;
}

const Item& KeyOrItemOf(const Action& action) {
  if (const auto* put = std::get_if<PutItemInput>(&action)) return put->item;
  if (const auto* update = std::get_if<UpdateItemInput>(&action)) return update->key;
  if (const auto* remove = std::get_if<DeleteItemInput>(&action)) return remove->key;
  return std::get_if<ConditionCheckInput>(&action)->key;
}

std::string DescribeWriteKey(const PlannedWrite& write) {
  return DescribeItemKey(OnlyKeyOf(*write.entity, KeyOrItemOf(write.action)));
}

std::string DescribeWrites(const std::vector<PlannedWrite>& writes) {
  std::string text;
  for (const PlannedWrite& write : writes) {
    text.append(text.empty() ? "" : "; ").append(VerbOf(write.action)).append(" ");
    text.append(DescribeWriteKey(write));
  }
  return text;
}

const char* OperationNameOf(const Action& action) {
  if (std::holds_alternative<PutItemInput>(action)) return "PutItem";
  if (std::holds_alternative<UpdateItemInput>(action)) return "UpdateItem";
  if (std::holds_alternative<DeleteItemInput>(action)) return "DeleteItem";
  return "ConditionCheck";
}

}  // namespace dolmen::entity
