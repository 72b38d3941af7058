#include "database/simulate/call.h"

#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "engine/expression/request_expression.h"
#include "engine/schema/live_table.h"

namespace dolmen::database {
namespace {

std::string TextOf(const AttributeValue& value) {
  if (const auto* const text = value.get_if<std::string>()) return *text;
  if (const auto* const number = value.get_if<Number>()) return number->ToString();
  const auto* const binary = value.get_if<Binary>();
  return binary != nullptr ? binary->bytes : std::string();
}

std::string TextOf(const AttributeView& value) {
  if (const auto number = value.AsNumber()) return number->ToString();
  if (const auto binary = value.AsBinary()) return std::string(*binary);
  return std::string(value.AsString().value_or(""));
}

// Returns the name of the first attribute of the partition key; empty if the table or the index
// does not exist.
std::string_view PartitionAttribute(const TableRef& table, std::string_view index) {
  const engine::TableSchema* const schema = engine::LiveTableOf(table).schema();
  if (schema == nullptr) return {};
  if (index.empty()) return schema->keys.partition()[0].name;
  const engine::IndexSchema* const found = schema->FindIndex(index);
  return found != nullptr ? std::string_view(found->keys.partition()[0].name) : std::string_view();
}

// Returns the name if it is that of a global index. A local index shares the capacity of the table.
std::string ChargedIndex(const TableRef& table, const std::string& index) {
  const engine::TableSchema* const schema = engine::LiveTableOf(table).schema();
  const engine::IndexSchema* const found = schema != nullptr ? schema->FindIndex(index) : nullptr;
  return found != nullptr && !found->is_local() ? index : std::string();
}

CallItem ItemOf(const TableRef& table, const Item& item, bool puts = false) {
  const auto found = item.find(PartitionAttribute(table, ""));
  if (found == item.end()) return {.table = table.name(), .key = {}};
  return {.table = table.name(),
          .key = TextOf(found->second),
          .ref = &table,
          .partition = &found->second,
          .puts = puts};
}

// Returns the partition key in a KeyConditionExpression; empty if the request is invalid.
std::string KeyIn(const KeyConditionExpression& expression, const TableRef& table,
                  const QueryInput& input) {
  std::optional<engine::Placeholders> placeholders;
  engine::RequestKeyCondition condition;
  engine::RequestFilter filter;
  engine::RequestProjection projection;
  const Status bound = engine::BindExpressions(
      input.names, input.values, &placeholders, engine::ExpressionSlot{expression, &condition},
      engine::ExpressionSlot{input.filter, &filter},
      engine::ExpressionSlot{input.projection, &projection});
  if (!bound.ok() || !condition) return {};
  for (const engine::KeyTerm& term : condition->terms) {
    if (term.attribute == PartitionAttribute(table, input.index)) return TextOf(term.value);
  }
  return {};
}

std::string KeyOf(const TableRef& table, const QueryInput& input) {
  if (const auto* const one = std::get_if<Partition>(&input.key_condition)) return TextOf(one->key);
  if (const auto* const several = std::get_if<Partitions>(&input.key_condition)) {
    return several->keys.empty() ? std::string() : TextOf(several->keys[0]);
  }
  return KeyIn(std::get<KeyConditionExpression>(input.key_condition), table, input);
}

const Item& KeyOf(const WriteRequest& request) {
  const auto* const put = std::get_if<PutRequest>(&request);
  return put != nullptr ? put->item : std::get<DeleteRequest>(request).key;
}

const Item& KeyOf(const PutItemInput& action) { return action.item; }
template <typename Action>
const Item& KeyOf(const Action& action) {
  return action.key;
}

}  // namespace

bool IsRead(SimulatedOperation operation) {
  return operation == SimulatedOperation::kGetItem || operation == SimulatedOperation::kQuery ||
         operation == SimulatedOperation::kScan || operation == SimulatedOperation::kBatchGetItem ||
         operation == SimulatedOperation::kTransactGetItems;
}

ThrottlingReason ReasonOf(SimulatedOperation operation, std::string_view limit, std::string table,
                          std::string index) {
  std::string reason = index.empty() ? "Table" : "Index";
  reason.append(IsRead(operation) ? "Read" : "Write").append(limit);
  return {std::move(reason), std::move(table), std::move(index)};
}

Call CallOf(SimulatedOperation operation, const TableRef& table, const Item& item) {
  const bool puts =
      operation == SimulatedOperation::kPutItem || operation == SimulatedOperation::kUpdateItem;
  return {.operation = operation, .items = {ItemOf(table, item, puts)}};
}

Call CallOf(const TableRef& table, const QueryInput& input) {
  return {.operation = SimulatedOperation::kQuery,
          .index = input.index,
          .charged_index = ChargedIndex(table, input.index),
          .items = {{.table = table.name(), .key = KeyOf(table, input)}}};
}

Call CallOf(const TableRef& table, const ScanInput& input) {
  return {.operation = SimulatedOperation::kScan,
          .index = input.index,
          .charged_index = ChargedIndex(table, input.index),
          .items = {{.table = table.name(), .key = {}}}};
}

Call CallOf(const BatchGetItemInput& input) {
  Call call{.operation = SimulatedOperation::kBatchGetItem};
  for (const KeysAndAttributes& part : input.requests) {
    for (const Item& key : part.keys) call.items.push_back(ItemOf(part.table, key));
  }
  return call;
}

Call CallOf(const BatchWriteItemInput& input) {
  Call call{.operation = SimulatedOperation::kBatchWriteItem};
  for (const WriteRequests& part : input.requests) {
    for (const WriteRequest& write : part.requests) {
      const bool puts = std::holds_alternative<PutRequest>(write);
      call.items.push_back(ItemOf(part.table, KeyOf(write), puts));
    }
  }
  return call;
}

Call CallOf(const TransactGetItemsInput& input) {
  Call call{.operation = SimulatedOperation::kTransactGetItems};
  for (const TransactGetItem& item : input.items) {
    call.items.push_back(ItemOf(item.table, item.key));
  }
  return call;
}

Call CallOf(const TransactWriteItemsInput& input) {
  Call call{.operation = SimulatedOperation::kTransactWriteItems,
            .has_token = !input.client_request_token.empty()};
  for (const TransactWriteItem& item : input.actions) {
    const Item& key =
        std::visit([](const auto& action) -> const Item& { return KeyOf(action); }, item.action);
    const bool puts = std::holds_alternative<PutItemInput>(item.action) ||
                      std::holds_alternative<UpdateItemInput>(item.action);
    call.items.push_back(ItemOf(item.table, key, puts));
  }
  return call;
}

}  // namespace dolmen::database
