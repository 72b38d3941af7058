#include "wire/transact_operations.h"

#include <optional>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "engine/base/status_macros.h"
#include "wire/consumed_capacity.h"
#include "wire/first_fault.h"
#include "wire/item_collection.h"
#include "wire/operation.h"
#include "wire/parameters.h"
#include "wire/table_names.h"

namespace dolmen::wire {
namespace {

using Kind = Shape::Kind;

constexpr std::int64_t kActionsMax = 100;

// The parts of a transaction's request, one for each item. The operation reads all parts before it
// opens the table of any part.
template <typename Input>
struct Parts {
  std::vector<JsonObject> json;
  std::vector<Input> inputs;
  std::vector<Table> tables;

  // `count` is the number of parts.
  explicit Parts(std::size_t count) {
    json.reserve(count);
    inputs.reserve(count);
    tables.reserve(count);
  }

  // Adds a part of the request: its JSON object `from`, and an empty input. Returns the input. The
  // caller then fills the input with the members of `from`.
  Input* Add(const JsonObject& from) {
    json.push_back(from);
    return &inputs.emplace_back();
  }

  // Opens the table of each part. If a table does not exist, checks all parts without their tables,
  // and returns the error of the first invalid part. If no part is invalid, returns
  // kResourceNotFound.
  Status OpenTables(const Context& context) {
    for (const JsonObject& part : json) {
      Result<Table> table = OpenTable(context, part);
      if (!table.ok()) return FirstFaultOf(inputs, table.status());
      tables.push_back(*std::move(table));
    }
    return {};
  }
};

// --- TransactGetItems ---

constexpr Structure kGetShape = {{
    Named("Get"),
    {"Key", &kAttributeMapShape, true},
    {"TableName", &kTableNameShape, true},
    {"ProjectionExpression", &kString},
    {"ExpressionAttributeNames", &kNamesShape},
}};
constexpr Structure kTransactGetItemShape = {{
    Named("TransactGetItem"),
    {"Get", &kGetShape, true},
}};
constexpr Shape kGetTransactItemsShape = {
    .kind = Kind::kList, .element = &kTransactGetItemShape, .range = {1, kActionsMax}};
constexpr Structure kTransactGetItemsInput = {{
    {"TransactItems", &kGetTransactItemsShape, true},
    {"ReturnConsumedCapacity", &kReturnConsumedCapacityShape},
}};

Status ReadGet(const JsonObject& get, GetItemInput* input) {
  DOLMEN_RETURN_IF_ERROR(CheckExpressionParameters(kGetShape, get));
  DOLMEN_RETURN_IF_ERROR(ReadItemParameter(get, "Key", &input->key));
  ReadExpression(get, "ProjectionExpression", &input->projection);
  return FirstFault(*input, ReadNames(get, &input->names));
}

Status Read(const Context& context, const JsonObject& request, TransactGetItemsInput* input) {
  const JsonArray items = ArrayOf(*Member(request, "TransactItems"));
  Parts<GetItemInput> gets(items.size());
  for (const Json item : items) {
    const JsonObject get = ObjectOf(*Member(ObjectOf(item), "Get"));
    DOLMEN_RETURN_IF_ERROR(ReadGet(get, gets.Add(get)));
  }
  DOLMEN_RETURN_IF_ERROR(gets.OpenTables(context));
  input->items.reserve(items.size());
  for (std::size_t i = 0; i < gets.tables.size(); ++i) {
    GetItemInput& get = gets.inputs[i];
    input->items.push_back({.table = std::move(gets.tables[i]),
                            .key = std::move(get.key),
                            .projection = std::move(get.projection),
                            .names = std::move(get.names)});
  }
  input->options.return_consumed_capacity = ReadReturnConsumedCapacity(request);
  return {};
}

Status RunTransactGetItems(const Context& context, const JsonObject& request,
                           JsonWriter* response) {
  TransactGetItemsInput input;
  DOLMEN_RETURN_IF_ERROR(Read(context, request, &input));
  const Result<TransactGetItemsOutput> output = context.database.TransactGetItems(input);
  if (!output.ok()) return FirstFaultOf(input.items, output.status());
  WriteTransactionItems(output->items, output->consumed_capacity,
                        input.options.return_consumed_capacity, response);
  return {};
}

// --- TransactWriteItems ---

constexpr Structure kConditionCheckShape = {{
    Named("ConditionCheck"),
    {"Key", &kAttributeMapShape, true},
    {"TableName", &kTableNameShape, true},
    {"ConditionExpression", &kString, true},
    {"ExpressionAttributeNames", &kNamesShape},
    {"ExpressionAttributeValues", &kAttributeMapShape},
    {"ReturnValuesOnConditionCheckFailure", &kReturnValuesOnFailureShape},
}};

constexpr Structure kPutShape = {{
    Named("Put"),
    {"Item", &kAttributeMapShape, true},
    {"TableName", &kTableNameShape, true},
    {"ConditionExpression", &kString},
    {"ExpressionAttributeNames", &kNamesShape},
    {"ExpressionAttributeValues", &kAttributeMapShape},
    {"ReturnValuesOnConditionCheckFailure", &kReturnValuesOnFailureShape},
}};

constexpr Structure kDeleteShape = {{
    Named("Delete"),
    {"Key", &kAttributeMapShape, true},
    {"TableName", &kTableNameShape, true},
    {"ConditionExpression", &kString},
    {"ExpressionAttributeNames", &kNamesShape},
    {"ExpressionAttributeValues", &kAttributeMapShape},
    {"ReturnValuesOnConditionCheckFailure", &kReturnValuesOnFailureShape},
}};

constexpr Structure kUpdateShape = {{
    Named("Update"),
    {"Key", &kAttributeMapShape, true},
    {"UpdateExpression", &kString, true},
    {"TableName", &kTableNameShape, true},
    {"ConditionExpression", &kString},
    {"ExpressionAttributeNames", &kNamesShape},
    {"ExpressionAttributeValues", &kAttributeMapShape},
    {"ReturnValuesOnConditionCheckFailure", &kReturnValuesOnFailureShape},
}};

constexpr Structure kTransactWriteItemShape = {{
    Named("TransactWriteItem"),
    {"ConditionCheck", &kConditionCheckShape},
    {"Put", &kPutShape},
    {"Delete", &kDeleteShape},
    {"Update", &kUpdateShape},
}};
constexpr Shape kWriteTransactItemsShape = {
    .kind = Kind::kList, .element = &kTransactWriteItemShape, .range = {1, kActionsMax}};
constexpr Shape kTokenShape = {.range = {1, 36}};
constexpr Structure kTransactWriteItemsInput = {{
    {"TransactItems", &kWriteTransactItemsShape, true},
    {"ReturnConsumedCapacity", &kReturnConsumedCapacityShape},
    {"ReturnItemCollectionMetrics", &kReturnItemCollectionMetricsShape},
    {"ClientRequestToken", &kTokenShape},
}};

// ItemParameter returns the name of the request's parameter that holds the item or the key. ItemOf
// returns the field of the input that holds the item or the key.
constexpr std::string_view ItemParameter(const PutItemInput&) { return "Item"; }
template <typename Input>
constexpr std::string_view ItemParameter(const Input&) {
  return "Key";
}
Item& ItemOf(PutItemInput& input) { return input.item; }
template <typename Input>
Item& ItemOf(Input& input) {
  return input.key;
}

template <typename Input>
Status ReadAction(const Shape& shape, const JsonObject& json, Input* input) {
  DOLMEN_RETURN_IF_ERROR(CheckExpressionParameters(shape, json));
  DOLMEN_RETURN_IF_ERROR(ReadItemParameter(json, ItemParameter(*input), &ItemOf(*input)));
  ReadExpression(json, "ConditionExpression", &input->condition);
  if constexpr (std::is_same_v<Input, UpdateItemInput>) {
    ReadExpression(json, "UpdateExpression", &input->update);
  }
  input->return_item_on_condition_failure = ReadReturnItemOnFailure(json);
  return FirstFault(*input, ReadNamesAndValues(json, &input->names, &input->values));
}

using TransactAction = decltype(TransactWriteItem::action);

Status ReadAction(const JsonObject& item, Parts<TransactAction>* actions) {
  const std::optional<Json> check = Member(item, "ConditionCheck");
  const std::optional<Json> put = Member(item, "Put");
  const std::optional<Json> remove = Member(item, "Delete");
  const std::optional<Json> update = Member(item, "Update");
  if (check.has_value() + put.has_value() + remove.has_value() + update.has_value() != 1) {
    return Status::Validation("TransactItems can only contain one of Check, Put, Update or Delete");
  }
  const auto read = [&]<typename Input>(std::type_identity<Input>, const Shape& shape,
                                        const Json& json) {
    TransactAction* const action = actions->Add(ObjectOf(json));
    return ReadAction(shape, ObjectOf(json), &action->emplace<Input>());
  };
  if (check) return read(std::type_identity<ConditionCheckInput>(), kConditionCheckShape, *check);
  if (put) return read(std::type_identity<PutItemInput>(), kPutShape, *put);
  if (remove) return read(std::type_identity<DeleteItemInput>(), kDeleteShape, *remove);
  return read(std::type_identity<UpdateItemInput>(), kUpdateShape, *update);
}

Status Read(const Context& context, const JsonObject& request, TransactWriteItemsInput* input) {
  const JsonArray items = ArrayOf(*Member(request, "TransactItems"));
  Parts<TransactAction> actions(items.size());
  for (const Json item : items) DOLMEN_RETURN_IF_ERROR(ReadAction(ObjectOf(item), &actions));
  DOLMEN_RETURN_IF_ERROR(actions.OpenTables(context));
  input->actions.reserve(items.size());
  for (std::size_t i = 0; i < actions.tables.size(); ++i) {
    input->actions.push_back({std::move(actions.tables[i]), std::move(actions.inputs[i])});
  }
  input->options.return_consumed_capacity = ReadReturnConsumedCapacity(request);
  input->client_request_token = StringMember(request, "ClientRequestToken");
  return {};
}

const Item& ItemOf(const TransactWriteItem& action) {
  return std::visit(
      [](const auto& input) -> const Item& {
        if constexpr (std::is_same_v<decltype(input), const PutItemInput&>) {
          return input.item;
        } else {
          return input.key;
        }
      },
      action.action);
}

Status RunTransactWriteItems(const Context& context, const JsonObject& request,
                             JsonWriter* response) {
  TransactWriteItemsInput input;
  DOLMEN_RETURN_IF_ERROR(Read(context, request, &input));
  ItemCollections collections(context, request);
  for (const TransactWriteItem& action : input.actions) {
    if (std::holds_alternative<ConditionCheckInput>(action.action)) continue;
    collections.Add(action.table, ItemOf(action));
  }
  const Result<TransactWriteItemsOutput> output = context.database.TransactWriteItems(input);
  if (!output.ok()) return FirstFaultOf(input.actions, output.status());
  response->BeginObject();
  WriteCapacities(output->consumed_capacity, input.options.return_consumed_capacity,
                  CapacityForm::kTransaction, response);
  collections.WriteLists(response);
  response->EndObject();
  return {};
}

}  // namespace

void WriteTransactionItems(std::span<const std::optional<StoredItem>> items,
                           const std::vector<ConsumedCapacity>& capacities,
                           ReturnConsumedCapacity returned, JsonWriter* response) {
  response->BeginObject();
  response->Key("Responses");
  response->BeginArray();
  for (const std::optional<StoredItem>& item : items) {
    response->BeginObject();
    if (item) {
      response->Key("Item");
      response->Attributes(item->view());
    }
    response->EndObject();
  }
  response->EndArray();
  WriteCapacities(capacities, returned, CapacityForm::kTransaction, response);
  response->EndObject();
}

std::span<const Operation> TransactOperations() {
  static constexpr Operation kOperations[] = {
      {"TransactGetItems", &kTransactGetItemsInput, RunTransactGetItems},
      {"TransactWriteItems", &kTransactWriteItemsInput, RunTransactWriteItems},
  };
  return kOperations;
}

}  // namespace dolmen::wire
