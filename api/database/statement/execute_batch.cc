#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "database/statement/execute_statement.h"
#include "database/statement/execute_write.h"
#include "database/statement/statement_part.h"
#include "engine/base/status_macros.h"
#include "engine/read/capacity.h"
#include "engine/value/violation.h"

namespace dolmen::database {
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
  BatchExecution(const std::shared_ptr<internal::Backend>& backend,
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
    AddFailures();
    return std::move(output_);
  }

 private:
  Status CheckCount() const {
    const std::size_t count = input_.statements.size();
    DOLMEN_RETURN_IF_ERROR(engine::CheckLength(count, "statements", 0, kBatchStatementsMax));
    const bool empty =
        count == 0 || std::any_of(input_.statements.begin(), input_.statements.end(),
                                  [](const auto& source) { return source.statement.empty(); });
    return empty ? Status::Validation("The statement was empty.") : Status();
  }

  // Parses and lowers each statement. The errors of a statement are in its response.
  void Prepare() {
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      Status& status = output_.responses[i].status;
      status = Check(&parts_[i]);
      if (!status.ok()) continue;
      status = parts_[i].Lower(backend_, kNotOneItemOfBatch);
      if (!status.ok()) PreferFirstError(parts_[i], &output_.responses[i]);
    }
  }

  Status Check(StatementPart* part) const {
    DOLMEN_RETURN_IF_ERROR(part->Parse());
    DOLMEN_RETURN_IF_ERROR(part->Encode());
    DOLMEN_RETURN_IF_ERROR(part->Check(backend_));
    const bool exists = part->statement().kind == Statement::Kind::kExists;
    return exists ? ExistsOutsideTransaction() : Status();
  }

  Status CheckWhole() const {
    bool reads = false;
    bool writes = false;
    for (const StatementPart& part : parts_) {
      if (!part.is_sound()) continue;
      (part.statement().reads() ? reads : writes) = true;
    }
    if (reads && writes) {
      return Status::Validation(
          "Read and write requests together in the same batch is not supported.");
    }
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      for (std::size_t k = 0; k < i; ++k) {
        if (!parts_[i].is_lowered() || !parts_[k].is_lowered()) continue;
        if (!IsSameItem(parts_[i], parts_[k])) continue;
        // A statement that fails for every table neither reads nor writes the item.
        if (!parts_[i].CheckForEveryTable().ok() || !parts_[k].CheckForEveryTable().ok()) continue;
        return Status::Validation("Provided list of item keys contains duplicates");
      }
    }
    return {};
  }

  void Execute(StatementPart& part, BatchStatementResponse* response) {
    response->table_name = part.table().name();
    if (part.statement().reads()) {
      std::optional<ConsumedCapacity> consumed;
      response->status = part.Read(*backend_, input_.options, &response->item, &consumed);
      if (consumed) Add(*consumed, &output_.consumed_capacity);
    } else {
      Write(part, response);
    }
    if (response->status.code() == StatusCode::kValidation) PreferFirstError(part, response);
  }

  // Replaces the error by an error that the statement has for every table. As in DynamoDB, the
  // response then does not have the name of the table.
  static void PreferFirstError(const StatementPart& part, BatchStatementResponse* response) {
    const Status first = part.CheckForEveryTable();
    if (!first.ok()) *response = {.status = first};
  }

  void Write(StatementPart& part, BatchStatementResponse* response) {
    const bool returns_item = part.source().return_item_on_condition_failure;
    const bool counts = input_.options.return_consumed_capacity != ReturnConsumedCapacity::kNone;
    Result<WriteItemOutput> written =
        WriteOneItem(*backend_, part.table(), part.statement(), returns_item || counts,
                     input_.options, &part.write());
    if (written.ok()) {
      response->item = std::move(written->attributes);
      if (written->consumed_capacity) {
        Add(*written->consumed_capacity, &output_.consumed_capacity);
      }
      return;
    }
    Status failed = written.status();
    if (failed.code() == StatusCode::kConditionalCheckFailed) {
      if (counts) Add(CapacityOfFailure(part, failed), &failed_);
      if (!returns_item) failed = Status::ConditionalCheckFailed();
    }
    response->status = ToStatementError(part.statement(), failed);
  }

  // Returns the units of the write that a failed condition has prevented. DynamoDB adds them to the
  // total of the table, and to no part of the total.
  static ConsumedCapacity CapacityOfFailure(const StatementPart& part, const Status& failed) {
    std::uint32_t bytes = failed.item() != nullptr ? failed.item()->view().size_bytes() : 0;
    if (const auto* const put = std::get_if<PutItemInput>(&part.write())) {
      bytes = std::max(bytes, SizeOfItem(put->item));
    }
    return {.table_name = part.table().name(), .total = {.write_units = engine::WriteUnits(bytes)}};
  }

  static void Add(const ConsumedCapacity& consumed, std::vector<ConsumedCapacity>* sums) {
    auto found = Find(*sums, consumed.table_name);
    if (found == sums->end()) found = sums->insert(found, ConsumedCapacity());
    engine::AddCapacity(consumed, &*found);
  }

  // Adds the units of failed statements to the tables on which another statement has succeeded.
  // DynamoDB leaves out the other tables.
  void AddFailures() {
    for (const ConsumedCapacity& failed : failed_) {
      const auto found = Find(output_.consumed_capacity, failed.table_name);
      if (found != output_.consumed_capacity.end()) engine::AddCapacity(failed, &*found);
    }
  }

  static std::vector<ConsumedCapacity>::iterator Find(std::vector<ConsumedCapacity>& sums,
                                                      std::string_view table) {
    return std::find_if(sums.begin(), sums.end(),
                        [&](const ConsumedCapacity& sum) { return sum.table_name == table; });
  }

  const std::shared_ptr<internal::Backend>& backend_;
  const BatchExecuteStatementInput& input_;
  std::vector<StatementPart> parts_;
  std::vector<ConsumedCapacity> failed_;  // of each table, the units of failed statements
  BatchExecuteStatementOutput output_;
};

}  // namespace

Result<BatchExecuteStatementOutput> BatchExecuteStatement(
    const std::shared_ptr<internal::Backend>& backend, const BatchExecuteStatementInput& input) {
  return BatchExecution(backend, input).Run();
}

}  // namespace dolmen::database
