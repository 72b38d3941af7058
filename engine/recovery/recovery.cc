#include "engine/recovery/recovery.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include "engine/base/status_macros.h"
#include "engine/recovery/net_changes.h"
#include "engine/recovery/table_copy.h"
#include "engine/schema/content_size.h"
#include "engine/storage/cursor.h"

namespace dolmen::engine {
namespace {

// The time for which DynamoDB keeps the backup of a deleted table.
constexpr auto kDeletedTableBackupAge = std::chrono::days(35);

std::int64_t SecondsOf(Timestamp time) {
  return std::chrono::floor<std::chrono::seconds>(time).time_since_epoch().count();
}

PointInTimeRecovery Describe(const TableSchema& schema, Timestamp now) {
  if (!schema.recovery_log) return {};
  const StreamSchema& log = *schema.recovery_log;
  return {.enabled = true,
          .period_days = static_cast<std::uint32_t>(
              std::chrono::duration_cast<std::chrono::days>(log.retention).count()),
          .earliest_restore_time = std::max(log.created_at, now - log.retention)};
}

// Returns the schema of the table with its annotations.
// - kResourceNotFound: the table is dropped.
// - kPointInTimeRecoveryUnavailable: the table has no recovery log.
// - kInvalidRestoreTime: the log does not cover the time at the time `now`.
Result<TableSchema> SchemaForTime(const LiveTable& table, Timestamp time, Timestamp now) {
  const TableSchema* const current = table.schema();
  if (current == nullptr) return NoSuchTable();
  TableSchema schema = *current;
  schema.annotations = *table.annotations();
  if (!schema.recovery_log) return Status::PointInTimeRecoveryUnavailable(table.name());
  const Timestamp earliest = Describe(schema, now).earliest_restore_time;
  if (earliest <= time && time <= now) return schema;
  return Status::InvalidRestoreTime(
      "The time " + std::to_string(SecondsOf(time)) + " is outside the recovery period of table " +
      table.name() + ", which begins at " + std::to_string(SecondsOf(earliest)) + " and ends at " +
      std::to_string(SecondsOf(now)) + " (seconds since 1970)");
}

// Returns the schema of a new table that nothing shows, with the keys of `source`. Its keyspace is for
// temporary rows.
Result<TableSchema> PrepareHidden(const RecoveryContext& context, const TableSchema& source) {
  const TableDescription table = engine::Describe(source);
  return context.catalog.Prepare(
      {.name = table.name, .partition_key = table.partition_key, .sort_key = table.sort_key},
      Catalog::Visibility::kHidden);
}

// Returns the chosen indexes, or those of the source if the caller has chosen none.
template <typename Index, typename Descriptions>
Result<std::vector<Index>> ChooseIndexes(const std::optional<std::vector<Index>>& chosen,
                                         const Descriptions& source) {
  std::vector<Index> all;
  for (const auto& described : source) all.push_back(described.index);
  if (!chosen) return all;
  for (const Index& index : *chosen) {
    const bool is_known = std::any_of(all.begin(), all.end(), [&](Index other) {
      other.name = index.name;
      return other == index;
    });
    if (is_known) continue;
    return Status::Validation("Index " + index.name +
                              " does not match a secondary index that existed in the source table "
                              "and cannot be created during the restore operation");
  }
  return *chosen;
}

// Returns the request that creates the table of the restore.
Result<CreateTableInput> TableToCreate(const TableSchema& source, const RestoreTarget& target) {
  const TableDescription table = engine::Describe(source);
  CreateTableInput input{
      .name = target.table_name, .partition_key = table.partition_key, .sort_key = table.sort_key};
  DOLMEN_ASSIGN_OR_RETURN(
      input.global_secondary_indexes,
      ChooseIndexes(target.global_secondary_indexes, table.global_secondary_indexes));
  DOLMEN_ASSIGN_OR_RETURN(
      input.local_secondary_indexes,
      ChooseIndexes(target.local_secondary_indexes, table.local_secondary_indexes));
  input.annotations = target.annotations.value_or(source.annotations);
  return input;
}

// Calls `on_item` with each row of the table.
Status ReadRows(const Store& store, const TableSchema& table, const ItemHandler& on_item) {
  Cursor cursor(store, PrefixRange(EncodedKey(table.keyspace)), {.fills_cache = false});
  for (cursor.SeekToFirst(); cursor.Valid(); cursor.Next()) {
    DOLMEN_ASSIGN_OR_RETURN(const ItemView item, ItemView::Parse(cursor.value()));
    DOLMEN_RETURN_IF_ERROR(on_item(item));
  }
  return cursor.status();
}

// Calls the item handler of the target with each item of the state. Copies the state into a table that
// nothing shows, because the state of an earlier time is known only when the last change is undone.
Result<RestoreTableOutput> ReadState(const RecoveryContext& context, const CopySource& source,
                                     const RestoreTarget& target) {
  DOLMEN_ASSIGN_OR_RETURN(const TableSchema schema, PrepareHidden(context, source.table));
  const auto read = [&]() -> Result<RestoreTableOutput> {
    DOLMEN_ASSIGN_OR_RETURN(const auto rows, NewTableRows::Begin(&context.store, schema));
    DOLMEN_ASSIGN_OR_RETURN(const RestoreTableOutput copied,
                            CopyTable(source, schema, rows.get(), target.progress));
    if (!copied.complete) return copied;
    DOLMEN_RETURN_IF_ERROR(context.store.AddTableFiles(rows->files(), WriteBatch()));
    DOLMEN_RETURN_IF_ERROR(ReadRows(context.store, schema, target.on_item));
    return copied;
  };
  Result<RestoreTableOutput> output = read();
  context.catalog.Abandon(schema);
  return output;
}

// Creates the table of the restore. After an error, or if the progress handler ends the restore,
// the table does not exist.
Result<RestoreTableOutput> RestoreTable(const RecoveryContext& context, const CopySource& source,
                                        const RestoreTarget& target) {
  if (target.on_item) return ReadState(context, source, target);
  DOLMEN_ASSIGN_OR_RETURN(const CreateTableInput input, TableToCreate(source.table, target));
  RestoreTableOutput output;
  const auto fill = [&](const TableSchema& table, NewTableRows* rows) -> Result<bool> {
    DOLMEN_ASSIGN_OR_RETURN(output, CopyTable(source, table, rows, target.progress));
    return output.complete;
  };
  DOLMEN_RETURN_IF_ERROR(CreateFilledTable(&context.store, &context.catalog, input, fill).status());
  return output;
}

}  // namespace

Status Recovery::Load() {
  DOLMEN_RETURN_IF_ERROR(backups_.Load());
  DropExpiredBackups();
  return {};
}

Result<TableBackup> Recovery::CreateBackup(const CreateBackupInput& input) {
  DOLMEN_RETURN_IF_ERROR(CheckName(input.backup_name, "BackupName"));
  DOLMEN_ASSIGN_OR_RETURN(const LiveTableRef& table,
                          context_.catalog.FindToManage(input.table_name));
  const TableSchema* const current = table->schema();
  if (current == nullptr) return NoSuchTable();
  TableSchema schema = *current;
  schema.annotations = *table->annotations();
  Result<TableBackup> created = BackUp(schema, {.name = input.backup_name});
  // The rows of a deleted table may have been purged before they were copied.
  if (!created.ok() || table->schema() != nullptr) return created;
  backups_.Delete(created->id).status().IgnoreError();
  return NoSuchTable();
}

Result<TableBackup> Recovery::BackUp(const TableSchema& schema, TableBackup backup) {
  backup.created_at = context_.clock.Now();
  if (backup.by_service) backup.expires_at = backup.created_at + kDeletedTableBackupAge;
  if (schema.expiry) backup.time_to_live_attribute = schema.expiry->attribute();
  backup.table = engine::Describe(schema);
  backup.table.annotations = schema.annotations;
  DescribeContent(context_.store, schema, {}, &backup.table);
  return backups_.Create({std::move(backup), schema});
}

Result<TableBackup> Recovery::DescribeBackup(std::string_view backup_id) {
  DropExpiredBackups();
  return backups_.Find(backup_id);
}

Result<std::vector<TableBackup>> Recovery::ListBackups() {
  DropExpiredBackups();
  return backups_.List();
}

Result<TableBackup> Recovery::DeleteBackup(std::string_view backup_id) {
  DOLMEN_RETURN_IF_ERROR(context_.store.CheckWritable());
  DOLMEN_ASSIGN_OR_RETURN(const TableBackup& backup, DescribeBackup(backup_id));
  if (backup.by_service) {
    return Status::Validation(
        "The backup of a deleted table cannot be deleted. It expires 35 days after the deletion of "
        "the table.");
  }
  return backups_.Delete(backup_id);
}

void Recovery::DropExpiredBackups() {
  if (!context_.store.CheckWritable().ok()) return;
  const Timestamp now = context_.clock.Now();
  for (const TableBackup& backup : backups_.List()) {
    // Ignores an error: the next call tries again.
    if (backup.expires_at && *backup.expires_at <= now)
      backups_.Delete(backup.id).status().IgnoreError();
  }
}

Result<RestoreTableOutput> Recovery::RestoreTableFromBackup(
    const RestoreTableFromBackupInput& input) {
  DOLMEN_RETURN_IF_ERROR(context_.store.CheckWritable());
  DOLMEN_ASSIGN_OR_RETURN(const auto& reader, backups_.Open(input.backup_id));
  const Snapshot snapshot(reader->store());
  return RestoreTable(context_, {reader->store(), snapshot, reader->schema()}, input.target);
}

Result<RestoreTableOutput> Recovery::RestoreTableToPointInTime(
    const RestoreTableToPointInTimeInput& input) {
  DOLMEN_RETURN_IF_ERROR(context_.store.CheckWritable());
  DOLMEN_ASSIGN_OR_RETURN(const LiveTableRef& table,
                          context_.catalog.FindToManage(input.source_table_name));
  // Creates the snapshot before it checks the time, so that the snapshot has the records of each
  // time that passes the check. They may be trimmed during the restore.
  const Snapshot snapshot(context_.store);
  const Timestamp now = context_.changes.now();
  const Timestamp time = input.restore_time.value_or(now);
  DOLMEN_ASSIGN_OR_RETURN(const TableSchema schema, SchemaForTime(*table, time, now));
  return RestoreTable(context_, {context_.store, snapshot, schema, time}, input.target);
}

Result<ReadChangesOutput> Recovery::ReadChanges(const ReadChangesInput& input) {
  DOLMEN_RETURN_IF_ERROR(context_.store.CheckWritable());
  DOLMEN_ASSIGN_OR_RETURN(const LiveTableRef& table,
                          context_.catalog.FindToManage(input.table_name));
  const Timestamp now = context_.changes.now();
  DOLMEN_RETURN_IF_ERROR(SchemaForTime(*table, input.to, now).status());
  if (input.from >= input.to) {
    return Status::InvalidRestoreTime("the period of the changes is empty: it must begin before " +
                                      ToIso8601(input.to));
  }
  // From here on, no write is recorded with a time of the period. So the snapshot has all of them.
  context_.changes.SetLeastTime(input.to);
  context_.changes.WaitForOpenWrites();
  const Snapshot snapshot(context_.store);
  DOLMEN_ASSIGN_OR_RETURN(const TableSchema schema,
                          SchemaForTime(*table, input.from, context_.changes.now()));
  DOLMEN_ASSIGN_OR_RETURN(const TableSchema scratch, PrepareHidden(context_, schema));
  Result<ReadChangesOutput> read =
      ReadNetChanges({context_.store, snapshot, schema}, input, scratch.keyspace, &context_.store);
  context_.catalog.Abandon(scratch);
  return read;
}

Result<PointInTimeRecovery> Recovery::UpdateContinuousBackups(
    const UpdateContinuousBackupsInput& input) {
  DOLMEN_RETURN_IF_ERROR(context_.catalog.UpdateRecoveryLog(input));
  return DescribeContinuousBackups(input.table_name);
}

Result<PointInTimeRecovery> Recovery::DescribeContinuousBackups(std::string_view table_name) {
  DOLMEN_ASSIGN_OR_RETURN(const LiveTableRef& table, context_.catalog.FindToManage(table_name));
  const TableSchema* const schema = table->schema();
  if (schema == nullptr) return NoSuchTable();
  return Describe(*schema, context_.changes.now());
}

Status Recovery::DropTable(std::string_view name) {
  std::optional<TableBackup> backup;
  const auto copy = [&](const TableSchema& schema) -> Status {
    if (!schema.recovery_log) return {};
    DOLMEN_ASSIGN_OR_RETURN(backup,
                            BackUp(schema, {.name = std::string(name).append("$DeletedTableBackup"),
                                            .by_service = true}));
    return {};
  };
  Status dropped = context_.catalog.Drop(name, copy);
  if (!dropped.ok() && backup) backups_.Delete(backup->id).status().IgnoreError();
  return dropped;
}

}  // namespace dolmen::engine
