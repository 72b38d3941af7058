#include <algorithm>
#include <utility>

#include "database/statement/statement_text.h"
#include "dolmen/uuid.h"
#include "engine/base/status_macros.h"
#include "engine/read/page_writer.h"
#include "engine/value/stored_form.h"
#include "remote/backend.h"
#include "remote/page_request.h"
#include "wire/item_requests.h"

namespace dolmen::remote {
namespace {

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

// A parameter that cannot be stored has no JSON.
Status CheckParameters(const List& parameters) {
  for (const AttributeValue& parameter : parameters) {
    std::string payload;
    DOLMEN_RETURN_IF_ERROR(internal::AppendStored(parameter, &payload));
  }
  return {};
}
Status Check(const RequestOptions& options, const std::vector<StatementRequest>& statements) {
  DOLMEN_RETURN_IF_ERROR(CheckOptions(options));
  for (const StatementRequest& one : statements) {
    DOLMEN_RETURN_IF_ERROR(CheckParameters(one.parameters));
  }
  return {};
}

Units UnitsOf(std::string_view statement) {
  return Reads(statement) ? Units::kRead : Units::kWrite;
}

Status ReadStatementPage(const wire::JsonObject& response, std::string_view statement,
                         QueryOutput* page) {
  DOLMEN_ASSIGN_OR_RETURN(RawPage read, ReadPage(response, std::nullopt));
  internal::PageWriter writer(page);
  std::uint64_t bytes = 0;
  for (const StoredItem& item : read.items) {
    bytes += item.view().size_bytes();
    writer.Add(item.view().bytes());
  }
  *writer.last_evaluated_key() = std::move(read.last_evaluated_key);
  const auto count = static_cast<std::uint32_t>(read.items.size());
  writer.SetCounts(count, count, bytes);
  auto capacity = ReadCapacity(response, UnitsOf(statement));
  if (capacity) writer.SetConsumedCapacity(*std::move(capacity));
  return {};
}

}  // namespace

Status RemoteBackend::ExecuteStatement(const ExecuteStatementInput& input,
                                       ExecuteStatementOutput* output) {
  internal::PageWriter(&output->page).Clear();
  output->next_token.clear();
  DOLMEN_RETURN_IF_ERROR(CheckOptions(input.options));
  DOLMEN_RETURN_IF_ERROR(CheckParameters(input.parameters));
  const Repeat repeat = Reads(input.statement) ? Repeat::kSafe : Repeat::kUnsafe;
  DOLMEN_ASSIGN_OR_RETURN(const Response& response,
                          service_.Send("ExecuteStatement", wire::ToJson(input), repeat));
  DOLMEN_RETURN_IF_ERROR(ReadStatementPage(response.object(), input.statement, &output->page));
  output->next_token = wire::StringMember(response.object(), "NextToken");
  return {};
}

Result<BatchExecuteStatementOutput> RemoteBackend::BatchExecuteStatement(
    const BatchExecuteStatementInput& input) {
  DOLMEN_RETURN_IF_ERROR(Check(input.options, input.statements));
  const std::string first = input.statements.empty() ? "" : input.statements[0].statement;
  const Repeat repeat = Reads(first) ? Repeat::kSafe : Repeat::kUnsafe;
  DOLMEN_ASSIGN_OR_RETURN(const Response& response,
                          service_.Send("BatchExecuteStatement", wire::ToJson(input), repeat));
  BatchExecuteStatementOutput output{.consumed_capacity =
                                         ReadCapacities(response.object(), UnitsOf(first))};
  DOLMEN_RETURN_IF_ERROR(wire::Decode(response.object(), &output));
  return output;
}

Result<ExecuteTransactionOutput> RemoteBackend::ExecuteTransaction(
    const ExecuteTransactionInput& input) {
  DOLMEN_RETURN_IF_ERROR(Check(input.options, input.statements));
  ExecuteTransactionInput sent = input;
  if (sent.client_request_token.empty()) sent.client_request_token = NewUuid();
  DOLMEN_ASSIGN_OR_RETURN(const Response& response,
                          service_.Send("ExecuteTransaction", wire::ToJson(sent), Repeat::kSafe));
  const bool reads = !input.statements.empty() && Reads(input.statements[0].statement);
  ExecuteTransactionOutput output{
      .consumed_capacity = ReadCapacities(response.object(), reads ? Units::kRead : Units::kWrite)};
  wire::TransactionItems read;
  DOLMEN_RETURN_IF_ERROR(wire::Decode(response.object(), &read));
  if (!reads) return output;
  for (wire::TransactionItem& one : read.items) output.items.push_back(std::move(one.item));
  return output;
}

}  // namespace dolmen::remote
