#include <utility>
#include <vector>

#include "engine/base/status_macros.h"
#include "wire/consumed_capacity.h"
#include "wire/first_fault.h"
#include "wire/item_collection.h"
#include "wire/legacy.h"
#include "wire/operation.h"
#include "wire/parameters.h"
#include "wire/table_names.h"

namespace dolmen::wire {
namespace {

using Kind = Shape::Kind;

// --- GetItem ---

constexpr Structure kGetItemInput = {{
    {"TableName", &kTableNameShape, true},
    {"Key", &kAttributeMapShape, true},
    {"AttributesToGet", &kAttributesToGetShape},
    {"ConsistentRead", &kBoolean},
    {"ReturnConsumedCapacity", &kReturnConsumedCapacityShape},
    {"ProjectionExpression", &kString},
    {"ExpressionAttributeNames", &kNamesShape},
}};

Status Read(const JsonObject& request, GetItemInput* input) {
  DOLMEN_RETURN_IF_ERROR(CheckExpressionParameters(kGetItemInput, request));
  DOLMEN_RETURN_IF_ERROR(ReadItemParameter(request, "Key", &input->key));
  input->consistent_read = BooleanMember(request, "ConsistentRead");
  input->options.return_consumed_capacity = ReadReturnConsumedCapacity(request);
  ReadExpression(request, "ProjectionExpression", &input->projection);
  Status read = ReadAttributesToGet(request, &input->projection);
  if (read.ok()) read = ReadNames(request, &input->names);
  return FirstFault(*input, std::move(read));
}

Status RunGetItem(const Context& context, const JsonObject& request, JsonWriter* response) {
  GetItemInput input;
  DOLMEN_RETURN_IF_ERROR(Read(request, &input));
  DOLMEN_ASSIGN_OR_RETURN(const Table& table, OpenTableFor(context, request, input));
  static thread_local GetItemOutput output;  // keeps its buffer between requests
  DOLMEN_RETURN_IF_ERROR(table.GetItem(input, &output));
  response->BeginObject();
  if (output.item) {
    response->Key("Item");
    response->Attributes(output.item->view());
  }
  WriteCapacity(output.consumed_capacity, input.options.return_consumed_capacity, response);
  response->EndObject();
  return {};
}

// --- functions that all writes share ---

// Reads the parameters that say what the response contains.
template <typename Input>
void ReadReturns(const JsonObject& request, Input* input) {
  input->return_values = ReadReturnValues(request);
  input->return_item_on_condition_failure = ReadReturnItemOnFailure(request);
  input->options.return_consumed_capacity = ReadReturnConsumedCapacity(request);
}

// Reads the condition, and the names and values of all expressions.
template <typename Input>
Status ReadCondition(const JsonObject& request, std::vector<LegacyCondition> expected,
                     Input* input) {
  DOLMEN_RETURN_IF_ERROR(SetExpected(request, std::move(expected), &input->condition));
  ReadExpression(request, "ConditionExpression", &input->condition);
  return ReadNamesAndValues(request, &input->names, &input->values);
}

// Reads the request of an operation whose only expression is a condition.
template <typename Input>
Status Read(const Shape& shape, std::string_view item_parameter, const JsonObject& request,
            Item* item, Input* input) {
  std::vector<LegacyCondition> expected;
  DOLMEN_RETURN_IF_ERROR(CheckExpressionParameters(shape, request));
  DOLMEN_RETURN_IF_ERROR(ReadItemParameter(request, item_parameter, item));
  DOLMEN_RETURN_IF_ERROR(ReadExpected(request, &expected));
  ReadReturns(request, input);
  return FirstFault(*input, ReadCondition(request, std::move(expected), input));
}

void WriteOutput(const WriteItemOutput& output, ReturnConsumedCapacity asked,
                 JsonWriter* response) {
  if (output.attributes) {
    response->Key("Attributes");
    response->Attributes(output.attributes->view());
  }
  WriteCapacity(output.consumed_capacity, asked, response);
}

// Runs `write`, a member function of Table, and writes the response. `item` is the item or the key
// of the request.
template <typename Input, typename Write>
Status RunWrite(const Context& context, const JsonObject& request, const Input& input,
                const Item& item, Write write, JsonWriter* response) {
  DOLMEN_ASSIGN_OR_RETURN(const Table& table, OpenTableFor(context, request, input));
  ItemCollections collections(context, request);
  collections.Add(table, item);
  DOLMEN_ASSIGN_OR_RETURN(const WriteItemOutput& output, (table.*write)(input));
  response->BeginObject();
  WriteOutput(output, input.options.return_consumed_capacity, response);
  collections.WriteOne(response);
  response->EndObject();
  return {};
}

// --- PutItem ---

constexpr Structure kPutItemInput = {{
    {"TableName", &kTableNameShape, true},
    {"Item", &kAttributeMapShape, true},
    {"Expected", &kExpectedShape},
    {"ReturnValues", &kReturnValuesShape},
    {"ReturnConsumedCapacity", &kReturnConsumedCapacityShape},
    {"ReturnItemCollectionMetrics", &kReturnItemCollectionMetricsShape},
    {"ConditionalOperator", &kConditionalOperatorShape},
    {"ConditionExpression", &kString},
    {"ExpressionAttributeNames", &kNamesShape},
    {"ExpressionAttributeValues", &kAttributeMapShape},
    {"ReturnValuesOnConditionCheckFailure", &kReturnValuesOnFailureShape},
}};

Status RunPutItem(const Context& context, const JsonObject& request, JsonWriter* response) {
  PutItemInput input;
  DOLMEN_RETURN_IF_ERROR(Read(kPutItemInput, "Item", request, &input.item, &input));
  return RunWrite(context, request, input, input.item, &Table::PutItem, response);
}

// --- UpdateItem ---

constexpr Structure kUpdateItemInput = {{
    {"TableName", &kTableNameShape, true},
    {"Key", &kAttributeMapShape, true},
    {"AttributeUpdates", &kAttributeUpdatesShape},
    {"Expected", &kExpectedShape},
    {"ConditionalOperator", &kConditionalOperatorShape},
    {"ReturnValues", &kReturnValuesShape},
    {"ReturnConsumedCapacity", &kReturnConsumedCapacityShape},
    {"ReturnItemCollectionMetrics", &kReturnItemCollectionMetricsShape},
    {"UpdateExpression", &kString},
    {"ConditionExpression", &kString},
    {"ExpressionAttributeNames", &kNamesShape},
    {"ExpressionAttributeValues", &kAttributeMapShape},
    {"ReturnValuesOnConditionCheckFailure", &kReturnValuesOnFailureShape},
}};

Status Read(const JsonObject& request, UpdateItemInput* input) {
  std::vector<AttributeUpdate> updates;
  std::vector<LegacyCondition> expected;
  DOLMEN_RETURN_IF_ERROR(CheckExpressionParameters(kUpdateItemInput, request));
  DOLMEN_RETURN_IF_ERROR(ReadItemParameter(request, "Key", &input->key));
  DOLMEN_RETURN_IF_ERROR(ReadAttributeUpdates(request, &updates));
  DOLMEN_RETURN_IF_ERROR(ReadExpected(request, &expected));
  ReadReturns(request, input);
  Status read = SetAttributeUpdates(updates, &input->update);
  ReadExpression(request, "UpdateExpression", &input->update);
  if (read.ok()) read = ReadCondition(request, std::move(expected), input);
  return FirstFault(*input, std::move(read));
}

Status RunUpdateItem(const Context& context, const JsonObject& request, JsonWriter* response) {
  UpdateItemInput input;
  DOLMEN_RETURN_IF_ERROR(Read(request, &input));
  return RunWrite(context, request, input, input.key, &Table::UpdateItem, response);
}

// --- DeleteItem ---

constexpr Structure kDeleteItemInput = {{
    {"TableName", &kTableNameShape, true},
    {"Key", &kAttributeMapShape, true},
    {"Expected", &kExpectedShape},
    {"ConditionalOperator", &kConditionalOperatorShape},
    {"ReturnValues", &kReturnValuesShape},
    {"ReturnConsumedCapacity", &kReturnConsumedCapacityShape},
    {"ReturnItemCollectionMetrics", &kReturnItemCollectionMetricsShape},
    {"ConditionExpression", &kString},
    {"ExpressionAttributeNames", &kNamesShape},
    {"ExpressionAttributeValues", &kAttributeMapShape},
    {"ReturnValuesOnConditionCheckFailure", &kReturnValuesOnFailureShape},
}};

Status RunDeleteItem(const Context& context, const JsonObject& request, JsonWriter* response) {
  DeleteItemInput input;
  DOLMEN_RETURN_IF_ERROR(Read(kDeleteItemInput, "Key", request, &input.key, &input));
  return RunWrite(context, request, input, input.key, &Table::DeleteItem, response);
}

}  // namespace

std::span<const Operation> ItemOperations() {
  static constexpr Operation kOperations[] = {
      {"GetItem", &kGetItemInput, RunGetItem},
      {"PutItem", &kPutItemInput, RunPutItem},
      {"UpdateItem", &kUpdateItemInput, RunUpdateItem},
      {"DeleteItem", &kDeleteItemInput, RunDeleteItem},
  };
  return kOperations;
}

}  // namespace dolmen::wire
