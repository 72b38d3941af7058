#include "engine/statement/execute_batch.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dolmen/internal/status_macros.h"
#include "engine/read/capacity.h"
#include "engine/statement/execute_write.h"
#include "engine/statement/statement_part.h"

namespace dolmen::engine {
namespace {

constexpr std::size_t kBatchStatementsMax = 25;

constexpr const char* kNotOneItemOfBatch =
    "Select statements within BatchExecuteStatement must specify the primary key in the where "
    "clause.";

bool IsSameItem(const StatementPart& a, const StatementPart& b) {
  return a.table().name() == b.table().name() && a.key() == b.key();
}

class BatchExecution {
 public:
  BatchExecution(const internal::Shared<internal::Backend>& backend,
                 const BatchExecuteStatementInput& input)
      : backend_(backend), input_(input) {}

  Result<BatchExecuteStatementOutput> Run() {
    DOLMEN_RETURN_IF_ERROR(CheckCount());
    output_.responses.resize(input_.statements.size());
    for (const StatementRequest& source : input_.statements) parts_.emplace_back(source);
    Prepare();
    DOLMEN_RETURN_IF_ERROR(CheckWhole());
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      if (output_.responses[i].status.ok()) Execute(parts_[i], &output_.responses[i]);
    }
    return std::move(output_);
  }

 private:
  Status CheckCount() const {
    const std::size_t count = input_.statements.size();
    if (count > kBatchStatementsMax) {
      return Status::Validation(
          "1 validation error detected: Value at 'statements' failed to satisfy constraint: Member "
          "must have length less than or equal to 25");
    }
    const bool empty =
        count == 0 || std::any_of(input_.statements.begin(), input_.statements.end(),
                                  [](const auto& source) { return source.statement.empty(); });
    return empty ? Status::Validation("The statement was empty.") : Status();
  }

  // Parses and lowers each statement. The errors of a statement are in its response.
  void Prepare() {
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      Status& status = output_.responses[i].status;
      status = parts_[i].Parse();
      if (status.ok() && parts_[i].statement().kind == Statement::Kind::kExists) {
        status =
            Status::Validation("EXISTS can only be used in ExecuteTransaction write requests.");
      }
      if (status.ok()) status = parts_[i].Lower(backend_, kNotOneItemOfBatch);
    }
  }

  Status CheckWhole() const {
    bool reads = false;
    bool writes = false;
    for (const StatementPart& part : parts_) {
      if (!part.is_parsed()) continue;
      (part.statement().reads() ? reads : writes) = true;
    }
    if (reads && writes) {
      return Status::Validation(
          "Read and write requests together in the same batch is not supported.");
    }
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      for (std::size_t k = 0; k < i; ++k) {
        if (!parts_[i].is_lowered() || !parts_[k].is_lowered()) continue;
        if (IsSameItem(parts_[i], parts_[k])) {
          return Status::Validation("Provided list of item keys contains duplicates");
        }
      }
    }
    return {};
  }

  void Execute(StatementPart& part, BatchStatementResponse* response) {
    response->table_name = part.table().name();
    std::optional<ConsumedCapacity> consumed;
    if (part.statement().reads()) {
      response->status = part.Read(*backend_, input_.options, &response->item, &consumed);
    } else {
      Result<WriteItemOutput> written =
          WriteOneItem(*backend_, part.table(), part.statement(), std::move(part.write()),
                       part.source().return_item_on_condition_failure, input_.options);
      response->status = written.status();
      if (written.ok()) {
        response->item = std::move(written->attributes);
        consumed = std::move(written->consumed_capacity);
      }
    }
    if (consumed) Add(*consumed);
  }

  void Add(const ConsumedCapacity& consumed) {
    auto& all = output_.consumed_capacity;
    auto found = std::find_if(all.begin(), all.end(), [&](const ConsumedCapacity& other) {
      return other.table_name == consumed.table_name;
    });
    if (found == all.end()) found = all.insert(found, ConsumedCapacity());
    AddCapacity(consumed, &*found);
  }

  const internal::Shared<internal::Backend>& backend_;
  const BatchExecuteStatementInput& input_;
  std::vector<StatementPart> parts_;
  BatchExecuteStatementOutput output_;
};

}  // namespace

Result<BatchExecuteStatementOutput> BatchExecuteStatement(
    const internal::Shared<internal::Backend>& backend, const BatchExecuteStatementInput& input) {
  return BatchExecution(backend, input).Run();
}

}  // namespace dolmen::engine
