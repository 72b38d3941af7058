#include "dolmen/database.h"

#include <string>
#include <utility>
#include <vector>

#include "engine/engine.h"
#include "engine/read/read.h"
#include "engine/verify/verify.h"
#include "engine/write/write_items.h"

namespace dolmen {
namespace {

Status OfAnotherDatabase(const Table& table) {
  return Status::Validation("The tables of a request must be of the database that does it: " +
                            table.name());
}

}  // namespace

Result<Database> Database::Open(const std::filesystem::path& directory,
                                const OpenOptions& options) {
  Result<std::shared_ptr<engine::Engine>> engine = engine::Engine::Open(directory, options);
  if (!engine.ok()) return engine.status();
  return Database(*std::move(engine));
}

Result<Database> Database::InMemory(const OpenOptions& options) {
  Result<std::shared_ptr<engine::Engine>> engine = engine::Engine::InMemory(options);
  if (!engine.ok()) return engine.status();
  return Database(*std::move(engine));
}

Result<Table> Database::CreateTable(const CreateTableInput& input) const {
  Result<engine::LiveTableRef> table = engine_->catalog().Create(input);
  if (!table.ok()) return table.status();
  return Table(engine_, *std::move(table));
}

Result<Table> Database::OpenTable(std::string_view name) const {
  Result<engine::LiveTableRef> table = engine_->catalog().Find(name);
  if (!table.ok()) return table.status();
  return Table(engine_, *std::move(table));
}

Result<TableDescription> Database::DescribeTable(std::string_view name, ContentSizes sizes) const {
  return engine_->DescribeTable(name, sizes);
}

Result<ListTablesOutput> Database::ListTables(const ListTablesInput& input) const {
  constexpr std::uint32_t kLimitMax = 100;
  if (input.limit < 1 || input.limit > kLimitMax) {
    return Status::Validation(
        "1 validation error detected: Value '" + std::to_string(input.limit) +
        "' at 'limit' failed to satisfy constraint: Member must have value " +
        (input.limit < 1 ? "greater than or equal to 1" : "less than or equal to 100"));
  }
  ListTablesOutput output;
  output.table_names =
      engine_->catalog().List(input.exclusive_start_table_name, std::size_t{input.limit} + 1);
  if (output.table_names.size() > input.limit) {
    output.table_names.pop_back();
    output.last_evaluated_table_name = output.table_names.back();
  }
  return output;
}

Result<TableDescription> Database::UpdateTable(const UpdateTableInput& input) const {
  return engine_->UpdateTable(input);
}

Result<TimeToLiveSpecification> Database::UpdateTimeToLive(
    const UpdateTimeToLiveInput& input) const {
  return engine_->UpdateTimeToLive(input);
}

Result<TimeToLiveDescription> Database::DescribeTimeToLive(std::string_view table_name) const {
  return engine_->DescribeTimeToLive(table_name);
}

Status Database::DeleteTable(std::string_view name) const { return engine_->DeleteTable(name); }

// The tables of a request's parts, in their order.
template <typename Parts>
Result<std::vector<engine::LiveTable*>> Database::TablesOf(const Parts& parts) const {
  std::vector<engine::LiveTable*> tables;
  for (const auto& part : parts) {
    if (part.table.engine_ != engine_) return OfAnotherDatabase(part.table);
    tables.push_back(part.table.live_.get());
  }
  return tables;
}

Result<BatchGetItemOutput> Database::BatchGetItem(const BatchGetItemInput& input) const {
  const auto tables = TablesOf(input.requests);
  if (!tables.ok()) return tables.status();
  return engine::ReadLive(*tables, [&](std::span<const engine::TableSchema* const> schemas) {
    return engine::BatchGetItem(engine_->read_context(), input, schemas);
  });
}

Result<BatchWriteItemOutput> Database::BatchWriteItem(const BatchWriteItemInput& input) const {
  const auto tables = TablesOf(input.requests);
  if (!tables.ok()) return tables.status();
  return engine::BatchWriteItem(engine_->write_context(), input, *tables);
}

Result<TransactWriteItemsOutput> Database::TransactWriteItems(
    const TransactWriteItemsInput& input) const {
  const auto tables = TablesOf(input.actions);
  if (!tables.ok()) return tables.status();
  return engine::TransactWriteItems(engine_->write_context(), input, *tables);
}

Result<TransactGetItemsOutput> Database::TransactGetItems(
    const TransactGetItemsInput& input) const {
  const auto tables = TablesOf(input.items);
  if (!tables.ok()) return tables.status();
  return engine::ReadLive(*tables, [&](std::span<const engine::TableSchema* const> schemas) {
    return engine::TransactGetItems(engine_->read_context(), input, schemas);
  });
}

Result<ListStreamsOutput> Database::ListStreams(const ListStreamsInput& input) const {
  return engine::ListStreams(engine_->stream_context(), input);
}

Result<StreamDescription> Database::DescribeStream(const DescribeStreamInput& input) const {
  return engine::DescribeStream(engine_->stream_context(), input);
}

Result<std::string> Database::GetShardIterator(const GetShardIteratorInput& input) const {
  return engine::GetShardIterator(engine_->stream_context(), input);
}

Result<GetRecordsOutput> Database::GetRecords(const GetRecordsInput& input) const {
  return engine::GetRecords(engine_->stream_context(), input);
}

Result<VerifyOutput> Database::Verify(const VerifyProgressHandler& progress) const {
  return engine::Verify(engine_->store(), engine_->catalog().Tables(), progress);
}

Result<DatabaseStats> Database::Stats() const { return engine_->Stats(); }

Status Database::WriteFailure() const { return engine_->store().WriteFailure(); }

const std::shared_ptr<Clock>& Database::clock() const { return engine_->clock(); }

}  // namespace dolmen
