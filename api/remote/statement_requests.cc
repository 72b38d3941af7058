#include "remote/statement_requests.h"

#include <algorithm>
#include <array>
#include <utility>

#include "database/statement/statement_text.h"
#include "dolmen/uuid.h"
#include "engine/base/status_macros.h"
#include "engine/read/page_writer.h"
#include "engine/value/stored_form.h"
#include "remote/request_body.h"
#include "wire/attribute_json.h"

namespace dolmen::remote {
namespace {

using wire::Json;
using wire::JsonObject;

// Returns true if a statement is a SELECT or an EXPLAIN, so that it can be sent twice. An EXISTS is part
// of a transaction that writes.
bool Reads(std::string_view statement) {
  const std::vector<internal::StatementWord> words = internal::StatementWords(statement);
  if (words.empty()) return true;
  std::string first(words[0].text);
  std::ranges::transform(first, first.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  return first == "SELECT" || first == "EXPLAIN";
}

Status CheckOptions(const RequestOptions& options) {
  if (!options.hide_expired.value_or(false)) return {};
  return Status::Validation(
      "A statement on a remote table cannot hide expired items. Add a condition on the time to "
      "live "
      "to the statement.");
}

Status WriteStatement(std::string_view statement, const List& parameters, bool returns_item,
                      wire::JsonWriter* json) {
  json->StringField("Statement", statement);
  if (!parameters.empty()) {
    json->Key("Parameters");
    json->BeginArray();
    for (const AttributeValue& parameter : parameters) {
      std::string payload;
      DOLMEN_RETURN_IF_ERROR(internal::AppendStored(parameter, &payload));
      json->Value(AttributeView(parameter.type(), payload));
    }
    json->EndArray();
  }
  if (returns_item) json->StringField("ReturnValuesOnConditionCheckFailure", "ALL_OLD");
  return {};
}

Status WriteStatements(std::string_view member, const std::vector<StatementRequest>& statements,
                       wire::JsonWriter* json) {
  json->Key(member);
  json->BeginArray();
  for (const StatementRequest& one : statements) {
    json->BeginObject();
    DOLMEN_RETURN_IF_ERROR(
        WriteStatement(one.statement, one.parameters, one.return_item_on_condition_failure, json));
    if (one.consistent_read) json->BooleanField("ConsistentRead", true);
    json->EndObject();
  }
  json->EndArray();
  return {};
}

Units UnitsOf(std::string_view statement) {
  return Reads(statement) ? Units::kRead : Units::kWrite;
}

Status ReadStatementPage(const JsonObject& response, std::string_view statement,
                         QueryOutput* page) {
  internal::PageWriter writer(page);
  writer.Clear();
  std::uint32_t count = 0;
  std::uint64_t bytes = 0;
  if (const auto items = wire::Member(response, "Items")) {
    for (const Json json : wire::ArrayOf(*items)) {
      DOLMEN_ASSIGN_OR_RETURN(const StoredItem& item, ReadStored(json));
      bytes += item.view().size_bytes();
      writer.Add(item.view().bytes());
      ++count;
    }
  }
  if (const auto key = wire::Member(response, "LastEvaluatedKey")) {
    DOLMEN_ASSIGN_OR_RETURN(*writer.last_evaluated_key(), wire::ReadItem(*key));
  }
  writer.SetCounts(count, count, bytes);
  auto capacity = ReadCapacity(response, UnitsOf(statement));
  if (capacity) writer.SetConsumedCapacity(*std::move(capacity));
  return {};
}

// Returns the error with the code that a response of a batch gives to a statement.
Status ErrorOf(const JsonObject& json) {
  const std::string_view code = wire::StringMember(json, "Code");
  std::string message(wire::StringMember(json, "Message"));
  const std::array<std::pair<std::string_view, Status>, 9> errors = {{
      {"ConditionalCheckFailed", Status::ConditionalCheckFailed()},
      {"DuplicateItem", Status::DuplicateItem()},
      {"ResourceNotFound", Status::ResourceNotFound(message)},
      {"TransactionConflict", Status::TransactionConflict()},
      {"ProvisionedThroughputExceeded", Status::ProvisionedThroughputExceeded()},
      {"ThrottlingError", Status::Throttling()},
      {"RequestLimitExceeded", Status::RequestLimitExceeded()},
      {"InternalServerError", Status::InternalServerError()},
      {"ItemCollectionSizeLimitExceeded", Status::ItemCollectionSizeLimitExceeded()},
  }};
  if (code == "ConditionalCheckFailed") {
    auto item = ReadStoredMember(json, "Item");
    if (item.ok() && *item) {
      return Status::ConditionalCheckFailed(std::make_shared<StoredItem>(**std::move(item)));
    }
  }
  const auto found = std::ranges::find(errors, code, &std::pair<std::string_view, Status>::first);
  const Status error = found == errors.end() ? Status::Validation(message) : found->second;
  return error.WithMessage(std::move(message));
}

Result<BatchStatementResponse> ReadResponse(const JsonObject& json) {
  BatchStatementResponse response{.table_name = std::string(wire::StringMember(json, "TableName"))};
  if (const auto error = wire::Member(json, "Error")) {
    response.status = ErrorOf(wire::ObjectOf(*error));
  }
  DOLMEN_ASSIGN_OR_RETURN(response.item, ReadStoredMember(json, "Item"));
  return response;
}

}  // namespace

Status RemoteStatements::ExecuteStatement(const ExecuteStatementInput& input,
                                          ExecuteStatementOutput* output) {
  internal::PageWriter(&output->page).Clear();
  output->next_token.clear();
  DOLMEN_RETURN_IF_ERROR(CheckOptions(input.options));
  RequestBody body;
  DOLMEN_RETURN_IF_ERROR(WriteStatement(input.statement, input.parameters,
                                        input.return_item_on_condition_failure, &body.json()));
  if (input.consistent_read) body.json().BooleanField("ConsistentRead", true);
  if (input.limit) body.json().UnsignedField("Limit", *input.limit);
  WriteText("NextToken", input.next_token, &body.json());
  WriteReturnConsumedCapacity(input.options.return_consumed_capacity, &body.json());
  const Repeat repeat = Reads(input.statement) ? Repeat::kSafe : Repeat::kUnsafe;
  DOLMEN_ASSIGN_OR_RETURN(const Response& response,
                          service_.Send("ExecuteStatement", body.Finish(), repeat));
  Status read = ReadStatementPage(response.object(), input.statement, &output->page);
  if (!read.ok()) internal::PageWriter(&output->page).Clear();
  if (read.ok()) output->next_token = wire::StringMember(response.object(), "NextToken");
  return read;
}

Result<BatchExecuteStatementOutput> RemoteStatements::BatchExecuteStatement(
    const BatchExecuteStatementInput& input) {
  DOLMEN_RETURN_IF_ERROR(CheckOptions(input.options));
  RequestBody body;
  DOLMEN_RETURN_IF_ERROR(WriteStatements("Statements", input.statements, &body.json()));
  WriteReturnConsumedCapacity(input.options.return_consumed_capacity, &body.json());
  const std::string first = input.statements.empty() ? "" : input.statements[0].statement;
  const Repeat repeat = Reads(first) ? Repeat::kSafe : Repeat::kUnsafe;
  DOLMEN_ASSIGN_OR_RETURN(const Response& response,
                          service_.Send("BatchExecuteStatement", body.Finish(), repeat));
  BatchExecuteStatementOutput output{.consumed_capacity =
                                         ReadCapacities(response.object(), UnitsOf(first))};
  if (const auto responses = wire::Member(response.object(), "Responses")) {
    for (const Json json : wire::ArrayOf(*responses)) {
      DOLMEN_ASSIGN_OR_RETURN(BatchStatementResponse one, ReadResponse(wire::ObjectOf(json)));
      output.responses.push_back(std::move(one));
    }
  }
  return output;
}

Result<ExecuteTransactionOutput> RemoteStatements::ExecuteTransaction(
    const ExecuteTransactionInput& input) {
  DOLMEN_RETURN_IF_ERROR(CheckOptions(input.options));
  RequestBody body;
  DOLMEN_RETURN_IF_ERROR(WriteStatements("TransactStatements", input.statements, &body.json()));
  const std::string& token = input.client_request_token;
  body.json().StringField("ClientRequestToken", token.empty() ? NewUuid() : token);
  WriteReturnConsumedCapacity(input.options.return_consumed_capacity, &body.json());
  DOLMEN_ASSIGN_OR_RETURN(const Response& response,
                          service_.Send("ExecuteTransaction", body.Finish(), Repeat::kSafe));
  const bool reads = !input.statements.empty() && Reads(input.statements[0].statement);
  ExecuteTransactionOutput output{
      .consumed_capacity = ReadCapacities(response.object(), reads ? Units::kRead : Units::kWrite)};
  const auto responses = wire::Member(response.object(), "Responses");
  if (!responses) return output;
  for (const Json json : wire::ArrayOf(*responses)) {
    DOLMEN_ASSIGN_OR_RETURN(std::optional<StoredItem> item,
                            ReadStoredMember(wire::ObjectOf(json), "Item"));
    output.items.push_back(std::move(item));
  }
  if (!reads) output.items.clear();
  return output;
}

}  // namespace dolmen::remote
