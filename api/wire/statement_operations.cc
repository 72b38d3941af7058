#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "engine/base/status_macros.h"
#include "wire/attribute_json.h"
#include "wire/errors.h"
#include "wire/item_requests.h"
#include "wire/item_responses.h"
#include "wire/operation.h"

namespace dolmen::wire {
Status ReadParameters(const Json& json, List* parameters) {
  for (const Json parameter : ArrayOf(json)) {
    DOLMEN_RETURN_IF_ERROR(ReadValue(parameter, &parameters->emplace_back(), kStatementChecker));
  }
  return {};
}

Status ReadStatementError(const Json& json, BatchStatementResponse* response) {
  Status error = ReadReason(ObjectOf(json));
  // An error without a code is an error, too.
  if (error.ok()) error = Status::Validation(std::string(StringMember(ObjectOf(json), "Message")));
  response->status = std::move(error);
  return {};
}

void WriteStatementError(std::string_view name, const BatchStatementResponse& response,
                         JsonWriter* json) {
  if (response.status.ok()) return;
  json->Key(name);
  WriteReason(response.status, json);
}

namespace {

Status RunExecuteStatement(const Context& context, const JsonObject& request,
                           JsonWriter* response) {
  ExecuteStatementInput input{.additions = context.statement_additions};
  DOLMEN_RETURN_IF_ERROR(Decode(request, &input));
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
    response->ItemAttributes(output.page.last_evaluated_key());
  }
  WriteCapacity(output.page.consumed_capacity(), input.options.return_consumed_capacity, response);
  response->EndObject();
  return {};
}

Status RunBatchExecuteStatement(const Context& context, const JsonObject& request,
                                JsonWriter* response) {
  BatchExecuteStatementInput input;
  DOLMEN_RETURN_IF_ERROR(Decode(request, &input));
  DOLMEN_ASSIGN_OR_RETURN(const BatchExecuteStatementOutput& output,
                          context.database.BatchExecuteStatement(input));
  response->BeginObject();
  EncodeMembers(kMembers<BatchExecuteStatementOutput>, output, response);
  WriteCapacities(output.consumed_capacity, input.options.return_consumed_capacity,
                  CapacityForm::kOperation, response);
  response->EndObject();
  return {};
}

Status RunExecuteTransaction(const Context& context, const JsonObject& request,
                             JsonWriter* response) {
  ExecuteTransactionInput input;
  DOLMEN_RETURN_IF_ERROR(Decode(request, &input));
  DOLMEN_ASSIGN_OR_RETURN(ExecuteTransactionOutput output,
                          context.database.ExecuteTransaction(input));
  WriteTransactionItems(std::move(output.items), output.consumed_capacity,
                        input.options.return_consumed_capacity, response);
  return {};
}

}  // namespace

std::span<const Operation> StatementOperations() {
  static constexpr Operation kOperations[] = {
      {"BatchExecuteStatement", &kMembers<BatchExecuteStatementInput>, RunBatchExecuteStatement},
      {"ExecuteTransaction", &kMembers<ExecuteTransactionInput>, RunExecuteTransaction},
      {"ExecuteStatement", &kMembers<ExecuteStatementInput>, RunExecuteStatement},
  };
  return kOperations;
}

}  // namespace dolmen::wire
