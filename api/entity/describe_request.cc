#include "entity/describe_request.h"

#include <string_view>

#include "dolmen/entity/query_planner.h"
#include "dolmen/item_view.h"
#include "engine/expression/syntax/expression_text.h"
#include "engine/value/codec.h"

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

// Appends a line with an expression, unless the request has none. An expression with an error has no
// line, because the request reports the error.
template <typename Expression>
void AddExpression(std::string_view parameter, const Expression& expression, Details* details) {
  if (expression.text() != nullptr) {
    details->push_back(std::string(parameter) + *expression.text());
  } else if (expression.tree() != nullptr && expression.tree()->ok()) {
    details->push_back(std::string(parameter) + engine::ExpressionText(***expression.tree()));
  }
}

// Appends a line with all attributes of an item. An invalid item has no line.
void AddItem(const Item& item, Details* details) {
  std::string bytes;
  if (!engine::EncodeItem(item, &bytes).ok()) return;
  const Result<ItemView> view = ItemView::Parse(bytes);
  if (view.ok()) details->push_back("Item = " + view->ToString());
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

Details DescribeDetails(const PlannedWrite& write) {
  Details details;
  if (const auto* put = std::get_if<PutItemInput>(&write.action)) {
    AddItem(put->item, &details);
    AddExpression("ConditionExpression = ", put->condition, &details);
  } else if (const auto* update = std::get_if<UpdateItemInput>(&write.action)) {
    AddExpression("", update->update, &details);
    AddExpression("ConditionExpression = ", update->condition, &details);
  } else if (const auto* remove = std::get_if<DeleteItemInput>(&write.action)) {
    AddExpression("ConditionExpression = ", remove->condition, &details);
  } else {
    AddExpression("ConditionExpression = ",
                  std::get_if<ConditionCheckInput>(&write.action)->condition, &details);
  }
  return details;
}

Details DescribeDetails(const std::vector<PlannedWrite>& writes) {
  Details details;
  for (const PlannedWrite& write : writes) {
    details.push_back(std::string(VerbOf(write.action)) + " " + DescribeWriteKey(write));
    for (const std::string& detail : DescribeDetails(write)) details.push_back("  " + detail);
  }
  return details;
}

Details DescribeDetails(const FilterExpression& filter, const ProjectionExpression& projection) {
  Details details;
  AddExpression("FilterExpression = ", filter, &details);
  AddExpression("ProjectionExpression = ", projection, &details);
  return details;
}

Details DescribeDetails(std::span<const Item> keys) {
  Details details;
  for (const Item& key : keys) details.push_back(DescribeItemKey(key));
  return details;
}

Details DescribeDetails(std::span<const WriteRequest> requests) {
  Details details;
  for (const WriteRequest& request : requests) {
    if (const auto* put = std::get_if<PutRequest>(&request)) {
      AddItem(put->item, &details);
    } else {
      details.push_back("Delete " + DescribeItemKey(std::get_if<DeleteRequest>(&request)->key));
    }
  }
  return details;
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
