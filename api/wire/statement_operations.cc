#include <limits>

#include "engine/base/status_macros.h"
#include "wire/attribute_json.h"
#include "wire/consumed_capacity.h"
#include "wire/operation.h"
#include "wire/parameters.h"
#include "wire/transact_operations.h"

namespace dolmen::wire {
namespace {

using Kind = Shape::Kind;

constexpr Shape kStatementShape = {.range = {1, 8192}};
constexpr Shape kParametersShape = {.kind = Kind::kList,
                                    .element = &kAttributeValueShape,
                                    .range = {1, std::numeric_limits<std::int64_t>::max()}};
constexpr Shape kNextTokenShape = {.range = {1, 32'768}};
// --- ExecuteStatement ---

constexpr Structure kExecuteStatementInput = {{
    {"Statement", &kStatementShape, true},
    {"Parameters", &kParametersShape},
    {"ConsistentRead", &kBoolean},
    {"NextToken", &kNextTokenShape},
    {"ReturnConsumedCapacity", &kReturnConsumedCapacityShape},
    {"Limit", &kLimitShape},
    {"ReturnValuesOnConditionCheckFailure", &kReturnValuesOnFailureShape},
}};

Status ReadParameters(const JsonObject& request, List* parameters) {
  const std::optional<Json> list = Member(request, "Parameters");
  if (!list) return {};
  for (const Json value : ArrayOf(*list)) {
    DOLMEN_RETURN_IF_ERROR(ReadValue(value, &parameters->emplace_back()));
  }
  return {};
}

Status Read(const JsonObject& request, ExecuteStatementInput* input) {
  input->statement = StringMember(request, "Statement");
  input->consistent_read = BooleanMember(request, "ConsistentRead");
  input->next_token = StringMember(request, "NextToken");
  input->options.return_consumed_capacity = ReadReturnConsumedCapacity(request);
  input->return_item_on_condition_failure = ReadReturnItemOnFailure(request);
  input->limit = ReadCount(request, "Limit");
  return ReadParameters(request, &input->parameters);
}

Status RunExecuteStatement(const Context& context, const JsonObject& request,
                           JsonWriter* response) {
  ExecuteStatementInput input;
  DOLMEN_RETURN_IF_ERROR(Read(request, &input));
  static thread_local ExecuteStatementOutput output;  // keeps its buffers between requests
  DOLMEN_RETURN_IF_ERROR(context.database.ExecuteStatement(input, &output));
  response->BeginObject();
  response->Key("Items");
  response->BeginArray();
  for (const ItemView item : output.page) response->Attributes(item);
  response->EndArray();
  if (!output.next_token.empty()) response->StringField("NextToken", output.next_token);
  if (!output.page.last_evaluated_key().empty()) {
    response->Key("LastEvaluatedKey");
    response->KeyAttributes(output.page.last_evaluated_key());
  }
  WriteCapacity(output.page.consumed_capacity(), input.options.return_consumed_capacity, response);
  response->EndObject();
  return {};
}

// --- BatchExecuteStatement ---

constexpr Structure kBatchStatementShape = {{
    Named("BatchStatementRequest"),
    {"Statement", &kStatementShape, true},
    {"Parameters", &kParametersShape},
    {"ConsistentRead", &kBoolean},
    {"ReturnValuesOnConditionCheckFailure", &kReturnValuesOnFailureShape},
}};
constexpr Shape kBatchStatementsShape = {
    .kind = Kind::kList, .element = &kBatchStatementShape, .range = {1, 25}};
constexpr Structure kBatchExecuteStatementInput = {{
    {"Statements", &kBatchStatementsShape, true},
    {"ReturnConsumedCapacity", &kReturnConsumedCapacityShape},
}};

Status ReadStatements(const Json& list, std::vector<StatementRequest>* statements) {
  for (const Json json : ArrayOf(list)) {
    const JsonObject request = ObjectOf(json);
    StatementRequest& statement = statements->emplace_back();
    statement.statement = StringMember(request, "Statement");
    statement.consistent_read = BooleanMember(request, "ConsistentRead");
    statement.return_item_on_condition_failure = ReadReturnItemOnFailure(request);
    DOLMEN_RETURN_IF_ERROR(ReadParameters(request, &statement.parameters));
  }
  return {};
}

// Returns the code of an error in a response: the name of the exception without its end.
std::string_view BatchErrorCode(const Status& status) {
  if (status.code() == StatusCode::kResourceNotFound) return "ResourceNotFound";
  if (status.code() == StatusCode::kInternalServerError) return "InternalServerError";
  return CancellationCode(status);
}

void WriteItemMember(const ItemView& item, JsonWriter* response) {
  response->Key("Item");
  response->Attributes(item);
}

void WriteResponse(const BatchStatementResponse& from, JsonWriter* response) {
  response->BeginObject();
  if (!from.status.ok()) {
    response->Key("Error");
    response->BeginObject();
    response->StringField("Code", BatchErrorCode(from.status));
    response->StringField("Message", from.status.message());
    if (from.status.item() != nullptr) WriteItemMember(from.status.item()->view(), response);
    response->EndObject();
  }
  if (!from.table_name.empty()) response->StringField("TableName", from.table_name);
  if (from.item) WriteItemMember(from.item->view(), response);
  response->EndObject();
}

Status RunBatchExecuteStatement(const Context& context, const JsonObject& request,
                                JsonWriter* response) {
  BatchExecuteStatementInput input;
  DOLMEN_RETURN_IF_ERROR(ReadStatements(*Member(request, "Statements"), &input.statements));
  input.options.return_consumed_capacity = ReadReturnConsumedCapacity(request);
  const Result<BatchExecuteStatementOutput> output = context.database.BatchExecuteStatement(input);
  if (!output.ok()) return output.status();
  response->BeginObject();
  response->Key("Responses");
  response->BeginArray();
  for (const BatchStatementResponse& from : output->responses) WriteResponse(from, response);
  response->EndArray();
  WriteCapacities(output->consumed_capacity, input.options.return_consumed_capacity,
                  CapacityForm::kOperation, response);
  response->EndObject();
  return {};
}

// --- ExecuteTransaction ---

constexpr Structure kTransactStatementShape = {{
    Named("ParameterizedStatement"),
    {"Statement", &kStatementShape, true},
    {"Parameters", &kParametersShape},
    {"ReturnValuesOnConditionCheckFailure", &kReturnValuesOnFailureShape},
}};
constexpr Shape kTransactStatementsShape = {
    .kind = Kind::kList, .element = &kTransactStatementShape, .range = {1, 100}};
constexpr Shape kStatementTokenShape = {.range = {1, 36}};
constexpr Structure kExecuteTransactionInput = {{
    {"TransactStatements", &kTransactStatementsShape, true},
    {"ClientRequestToken", &kStatementTokenShape},
    {"ReturnConsumedCapacity", &kReturnConsumedCapacityShape},
}};

Status RunExecuteTransaction(const Context& context, const JsonObject& request,
                             JsonWriter* response) {
  ExecuteTransactionInput input;
  DOLMEN_RETURN_IF_ERROR(ReadStatements(*Member(request, "TransactStatements"), &input.statements));
  input.client_request_token = StringMember(request, "ClientRequestToken");
  input.options.return_consumed_capacity = ReadReturnConsumedCapacity(request);
  const Result<ExecuteTransactionOutput> output = context.database.ExecuteTransaction(input);
  if (!output.ok()) return output.status();
  WriteTransactionItems(output->items, output->consumed_capacity,
                        input.options.return_consumed_capacity, response);
  return {};
}

}  // namespace

std::span<const Operation> StatementOperations() {
  static constexpr Operation kOperations[] = {
      {"BatchExecuteStatement", &kBatchExecuteStatementInput, RunBatchExecuteStatement},
      {"ExecuteTransaction", &kExecuteTransactionInput, RunExecuteTransaction},
      {"ExecuteStatement", &kExecuteStatementInput, RunExecuteStatement},
  };
  return kOperations;
}

}  // namespace dolmen::wire
