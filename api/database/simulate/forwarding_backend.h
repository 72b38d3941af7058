// A backend that forwards each operation on tables, streams and the database to another backend. A
// derived class adds the operations on items.

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "engine/backend.h"

namespace dolmen::database {

// A backend in front of `engine`. The tables of both are the same objects. Thread-safe.
class ForwardingBackend : public internal::Backend {
 public:
  explicit ForwardingBackend(std::shared_ptr<internal::Backend> engine)
      : engine_(std::move(engine)) {}

  Result<std::shared_ptr<internal::TableState>> CreateTable(
      const CreateTableInput& input) override {
    return engine_->CreateTable(input);
  }
  Result<std::shared_ptr<internal::TableState>> OpenTable(std::string_view name) override {
    return engine_->OpenTable(name);
  }
  Result<TableDescription> DescribeTable(std::string_view name, ContentSizes sizes) override {
    return engine_->DescribeTable(name, sizes);
  }
  Result<ListTablesOutput> ListTables(const ListTablesInput& input) override {
    return engine_->ListTables(input);
  }
  Result<TableDescription> UpdateTable(const UpdateTableInput& input) override {
    return engine_->UpdateTable(input);
  }
  Status DeleteTable(std::string_view name) override { return engine_->DeleteTable(name); }
  Result<TimeToLiveSpecification> UpdateTimeToLive(const UpdateTimeToLiveInput& input) override {
    return engine_->UpdateTimeToLive(input);
  }
  Result<TimeToLiveDescription> DescribeTimeToLive(std::string_view table_name) override {
    return engine_->DescribeTimeToLive(table_name);
  }

  Result<std::uint64_t> ApproximateBytes(const TableRef& table, const QueryInput& input) override {
    return engine_->ApproximateBytes(table, input);
  }
  Result<std::uint64_t> ApproximateBytes(const TableRef& table, const ScanInput& input) override {
    return engine_->ApproximateBytes(table, input);
  }
  Status WaitForIndexes(const TableRef& table) override { return engine_->WaitForIndexes(table); }
  Result<std::uint64_t> ItemCollectionSize(const TableRef& table,
                                           const AttributeValue& partition) override {
    return engine_->ItemCollectionSize(table, partition);
  }
  Result<std::uint64_t> ExpireNow(const TableRef& table, std::uint64_t items_max) override {
    return engine_->ExpireNow(table, items_max);
  }

  Result<std::unique_ptr<internal::Subscriber>> Subscribe(
      const TableRef& table, const SubscribeInput& input,
      internal::SubscriptionHandler handler) override {
    return engine_->Subscribe(table, input, std::move(handler));
  }
  Status Unsubscribe(const TableRef& table, std::string_view name) override {
    return engine_->Unsubscribe(table, name);
  }
  Result<ListStreamsOutput> ListStreams(const ListStreamsInput& input) override {
    return engine_->ListStreams(input);
  }
  Result<StreamDescription> DescribeStream(const DescribeStreamInput& input) override {
    return engine_->DescribeStream(input);
  }
  Result<std::string> GetShardIterator(const GetShardIteratorInput& input) override {
    return engine_->GetShardIterator(input);
  }
  Result<GetRecordsOutput> GetRecords(const GetRecordsInput& input) override {
    return engine_->GetRecords(input);
  }

  Result<VerifyOutput> Verify(const VerifyProgressHandler& progress) override {
    return engine_->Verify(progress);
  }
  Result<CopyOutput> Backup(const std::string& directory, const BackupOptions& options) override {
    return engine_->Backup(directory, options);
  }
  Result<ImportTableOutput> ImportTable(const ImportTableInput& input) override {
    return engine_->ImportTable(input);
  }
  Result<TableBackup> CreateBackup(const CreateBackupInput& input) override {
    return engine_->CreateBackup(input);
  }
  Result<TableBackup> DescribeBackup(std::string_view backup_id) override {
    return engine_->DescribeBackup(backup_id);
  }
  Result<std::vector<TableBackup>> ListBackups() override { return engine_->ListBackups(); }
  Result<TableBackup> DeleteBackup(std::string_view backup_id) override {
    return engine_->DeleteBackup(backup_id);
  }
  Result<RestoreTableOutput> RestoreTableFromBackup(
      const RestoreTableFromBackupInput& input) override {
    return engine_->RestoreTableFromBackup(input);
  }
  Result<RestoreTableOutput> RestoreTableToPointInTime(
      const RestoreTableToPointInTimeInput& input) override {
    return engine_->RestoreTableToPointInTime(input);
  }
  Result<ReadChangesOutput> ReadChanges(const ReadChangesInput& input) override {
    return engine_->ReadChanges(input);
  }
  Result<PointInTimeRecovery> UpdateContinuousBackups(
      const UpdateContinuousBackupsInput& input) override {
    return engine_->UpdateContinuousBackups(input);
  }
  Result<PointInTimeRecovery> DescribeContinuousBackups(std::string_view table_name) override {
    return engine_->DescribeContinuousBackups(table_name);
  }
  Status ReadUndamaged(const TableRef& table, const ItemHandler& on_item,
                       const RepairLossHandler& on_loss) override {
    return engine_->ReadUndamaged(table, on_item, on_loss);
  }
  Result<DatabaseStats> Stats() override { return engine_->Stats(); }
  Status WriteFailure() override { return engine_->WriteFailure(); }
  Status CheckWritable() override { return engine_->CheckWritable(); }
  const SharedClock& clock() const override { return engine_->clock(); }

 protected:
  const std::shared_ptr<internal::Backend>& engine() const { return engine_; }

 private:
  const std::shared_ptr<internal::Backend> engine_;
};

}  // namespace dolmen::database
