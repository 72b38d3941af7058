#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "engine/base/status_macros.h"
#include "engine/value/codec.h"
#include "engine/value/older_number.h"
#include "wire/attribute_json.h"
#include "wire/errors.h"
#include "wire/item_requests.h"
#include "wire/item_responses.h"
#include "wire/java_text.h"
#include "wire/operation.h"

namespace dolmen::wire {
namespace {

Status ReadParameter(const Json& json, int level, AttributeValue* value);

Status CheckNumber(const Json& json) {
  const Result<Number> number = engine::ReadOlderNumber(StringOf(json));
  if (number.ok()) return {};
  return Status::Validation(std::string(Truncated(number.status().message())));
}

// Reads a list or a map, whose elements are at the level `level`. Returns false for another value, and
// for one with several types.
Result<bool> ReadContainer(const Json& json, int level, AttributeValue* value) {
  const JsonEntries entries = EntriesOf(ObjectOf(json));
  if (entries.size() != 1) return false;
  const auto& [type, content] = entries.front();
  if (type == "L") {
    List list;
    for (const Json element : ArrayOf(content)) {
      DOLMEN_RETURN_IF_ERROR(ReadParameter(element, level, &list.emplace_back()));
    }
    *value = std::move(list);
    return true;
  }
  if (type != "M") return false;
  Map map;
  DOLMEN_RETURN_IF_ERROR(ReadMap(
      ObjectOf(content),
      [&](std::string_view, const Json& member, AttributeValue* read) {
        return ReadParameter(member, level, read);
      },
      &map));
  *value = std::move(map);
  return true;
}

// Checks the numbers of a value that is no list and no map. Numbers of parameters have rules of their
// own.
Status CheckNumbers(const Json& json) {
  const std::optional<Json> number = Member(ObjectOf(json), "N");
  if (number) DOLMEN_RETURN_IF_ERROR(CheckNumber(*number));
  const std::optional<Json> set = Member(ObjectOf(json), "NS");
  if (!set) return {};
  for (const Json member : ArrayOf(*set)) {
    if (!member.is_null()) DOLMEN_RETURN_IF_ERROR(CheckNumber(member));
  }
  return {};
}

// Reads a value at a level of nesting. The first fault in the text is the error.
Status ReadParameter(const Json& json, int level, AttributeValue* value) {
  if (level > engine::kNestingLevelsMax) return engine::NestedTooDeep();
  DOLMEN_ASSIGN_OR_RETURN(const bool is_container, ReadContainer(json, level + 1, value));
  if (is_container) return {};
  DOLMEN_RETURN_IF_ERROR(CheckNumbers(json));
  return ReadValue(json, value);
}

}  // namespace

Status ReadParameters(const Json& json, List* parameters) {
  for (const Json parameter : ArrayOf(json)) {
    DOLMEN_RETURN_IF_ERROR(ReadParameter(parameter, 1, &parameters->emplace_back()));
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
