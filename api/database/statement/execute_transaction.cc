#include <xxhash.h>

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "database/statement/check_statement.h"
#include "database/statement/columns.h"
#include "database/statement/execute_statement.h"
#include "database/statement/execute_write.h"
#include "database/statement/statement_part.h"
#include "engine/base/status_macros.h"
#include "engine/value/violation.h"

namespace dolmen::database {
namespace {

constexpr std::size_t kTransactionStatementsMax = 100;
constexpr std::size_t kStatementTokenMax = 36;

constexpr const char* kNotOneItemOfTransaction =
    "Select statements within ExecuteTransaction must specify the primary key in the where clause.";

// Returns the token under which the engine stores a transaction of statements. The tokens of
// TransactWriteItems are another space: this token has a form of its own.
std::string EngineToken(const std::string& token) {
  if (token.empty()) return {};
  const XXH128_hash_t hash = XXH3_128bits(token.data(), token.size());
  char text[40];
  std::snprintf(text, sizeof text, "sql %016" PRIx64 "%016" PRIx64, std::uint64_t{hash.high64},
                std::uint64_t{hash.low64});
  return std::string(text).substr(0, kStatementTokenMax);
}

class TransactionExecution {
 public:
  TransactionExecution(const std::shared_ptr<internal::Backend>& backend,
                       const ExecuteTransactionInput& input)
      : backend_(backend), input_(input) {}

  Result<ExecuteTransactionOutput> Run() {
    DOLMEN_RETURN_IF_ERROR(CheckRequest());
    for (const StatementRequest& source : input_.statements) parts_.emplace_back(source);
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      DOLMEN_RETURN_IF_ERROR(Check(i));
    }
    DOLMEN_RETURN_IF_ERROR(CheckMix());
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const Status lowered = Lower(i);
      if (!lowered.ok()) return FirstErrorOf(i + 1, lowered);
    }
    Result<ExecuteTransactionOutput> output = parts_[0].statement().reads() ? Read() : Write();
    return output.ok() ? output : FirstErrorOf(parts_.size(), output.status());
  }

 private:
  Status CheckRequest() const {
    const std::size_t count = input_.statements.size();
    if (count == 0) {
      return Status::Validation("ExecutePartiQLTransaction can not have empty statement.");
    }
    if (count > kTransactionStatementsMax) {
      return Status::Validation(engine::AtMost("length", kTransactionStatementsMax));
    }
    if (input_.client_request_token.size() <= kStatementTokenMax) return {};
    return engine::DetectedOne(engine::Violation(input_.client_request_token, "clientRequestToken",
                                                 engine::AtMost("length", kStatementTokenMax)));
  }

  static Status Refuse(std::size_t i, const std::string& message) {
    return Status::Validation("Validation failed in TransactStatements[" + std::to_string(i) +
                              "]: " + message);
  }

  // Parses the statement and checks it. A fault of its structure comes after the errors that the
  // statements before it have for every table.
  Status Check(std::size_t i) {
    const Status parsed = parts_[i].Parse();
    if (!parsed.ok()) return Refuse(i, parsed.message());
    // The error of a parameter has no number.
    DOLMEN_RETURN_IF_ERROR(parts_[i].Encode());
    const Status checked = parts_[i].Check(backend_);
    return checked.ok() ? checked : FirstErrorOf(i, Refuse(i, checked.message()));
  }

  static Status CheckClauses(const Statement& statement) {
    if (statement.returning != ReturnValues::kNone) {
      return Status::Validation("RETURNING clause is not supported in ExecuteTransaction.");
    }
    if (statement.index.empty()) return {};
    return Status::Validation(statement.reads()
                                  ? "Reads on indices are not supported within transactions."
                                  : "Operations on indices are not supported in transactions");
  }

  Status CheckMix() const {
    for (const StatementPart& part : parts_) {
      if (part.statement().reads() == parts_[0].statement().reads()) continue;
      return Status::Validation(
          "ExecuteTransaction API does not support both read and write operations in the same "
          "request.");
    }
    return {};
  }

  Status Lower(std::size_t i) {
    Status lowered = CheckClauses(parts_[i].statement());
    if (lowered.ok()) lowered = parts_[i].Lower(backend_, kNotOneItemOfTransaction);
    return lowered.code() == StatusCode::kValidation ? Refuse(i, lowered.message()) : lowered;
  }

  // Returns the first error that one of the first `count` statements has for every table, else
  // `failure`. DynamoDB checks one statement after the other, and its expressions before its table.
  Status FirstErrorOf(std::size_t count, const Status& failure) const {
    if (!DependsOnTable(failure)) return failure;
    for (std::size_t i = 0; i < count; ++i) {
      const Status first = parts_[i].CheckForEveryTable();
      if (!first.ok()) return Refuse(i, first.message());
    }
    return failure;
  }

  Result<ExecuteTransactionOutput> Read() const {
    TransactGetItemsInput input{.options = input_.options};
    for (const StatementPart& part : parts_) {
      input.items.push_back(
          {.table = part.table(), .key = part.key(), .projection = ProjectionOf(part.statement())});
    }
    DOLMEN_ASSIGN_OR_RETURN(TransactGetItemsOutput got, backend_->TransactGetItems(input));
    ExecuteTransactionOutput output{.consumed_capacity = std::move(got.consumed_capacity)};
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      output.items.emplace_back();
      if (!got.items[i]) continue;
      DOLMEN_ASSIGN_OR_RETURN(StoredItem item, parts_[i].WithColumns(*std::move(got.items[i])));
      output.items.back().emplace(std::move(item));
    }
    return output;
  }

  Result<ExecuteTransactionOutput> Write() {
    TransactWriteItemsInput input{.client_request_token = EngineToken(input_.client_request_token),
                                  .options = input_.options};
    for (StatementPart& part : parts_) {
      std::visit(
          [&](auto& action) {
            action.return_item_on_condition_failure =
                part.source().return_item_on_condition_failure;
          },
          part.write());
      input.actions.push_back({.table = part.table(), .action = std::move(part.write())});
    }
    Result<TransactWriteItemsOutput> written = backend_->TransactWriteItems(input);
    if (!written.ok()) return ToError(written.status());
    return ExecuteTransactionOutput{.consumed_capacity = std::move(written->consumed_capacity)};
  }

  // Returns the error of the transaction as PartiQL reports it.
  Status ToError(const Status& status) const {
    if (status.code() == StatusCode::kIdempotentParameterMismatch) {
      return status.WithMessage(
          "Specified idempotent token was used with different request parameters within the "
          "idempotency window");
    }
    if (status.code() != StatusCode::kTransactionCanceled) return status;
    std::vector<Status> reasons = status.reasons();
    for (std::size_t i = 0; i < reasons.size(); ++i) {
      reasons[i] = ToStatementError(parts_[i].statement(), reasons[i]);
    }
    return Status::TransactionCanceled(std::move(reasons));
  }

  const std::shared_ptr<internal::Backend>& backend_;
  const ExecuteTransactionInput& input_;
  std::vector<StatementPart> parts_;
};

}  // namespace

Result<ExecuteTransactionOutput> ExecuteTransaction(
    const std::shared_ptr<internal::Backend>& backend, const ExecuteTransactionInput& input) {
  return TransactionExecution(backend, input).Run();
}

}  // namespace dolmen::database
