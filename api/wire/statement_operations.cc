#include "wire/statement_operations.h"

#include <array>
#include <limits>

#include "dolmen/internal/status_macros.h"
#include "wire/attribute_json.h"
#include "wire/consumed_capacity.h"
#include "wire/operation.h"
#include "wire/parameters.h"

namespace dolmen::wire {
namespace {

using Kind = Shape::Kind;

constexpr Shape kStatementShape = {.range = {1, 8192}};
constexpr Shape kParametersShape = {.kind = Kind::kList,
                                    .element = &kAttributeValueShape,
                                    .range = {1, std::numeric_limits<std::int64_t>::max()}};
constexpr Shape kNextTokenShape = {.range = {1, 32'768}};
// --- ExecuteStatement ---

constexpr std::array<MemberShape, 7> kExecuteStatementMembers = {{
    {"Statement", &kStatementShape, true},
    {"Parameters", &kParametersShape},
    {"ConsistentRead", &kBoolean},
    {"NextToken", &kNextTokenShape},
    {"ReturnConsumedCapacity", &kReturnConsumedCapacityShape},
    {"Limit", &kLimitShape},
    {"ReturnValuesOnConditionCheckFailure", &kReturnValuesOnFailureShape},
}};
constexpr Shape kExecuteStatementInput = {.kind = Kind::kStructure,
                                          .members = kExecuteStatementMembers};

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
  WriteCapacity(output.page.consumed_capacity(), input.options.return_consumed_capacity, response);
  response->EndObject();
  return {};
}

}  // namespace

const Operation kExecuteStatement = {"ExecuteStatement", &kExecuteStatementInput,
                                     RunExecuteStatement};

}  // namespace dolmen::wire
