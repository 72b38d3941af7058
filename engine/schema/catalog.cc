#include "engine/schema/catalog.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

#include "dolmen/update_table.h"
#include "engine/base/status_macros.h"
#include "engine/schema/catalog_entries.h"

namespace dolmen::engine {
namespace {

// Checks that the request has a change, and that its changes fit into one call.
// - kValidation: the request has no change, or changes the stream and an index.
// - kLimitExceeded: the request creates an index and deletes one.
Status CheckChanges(const UpdateTableInput& input) {
  const bool creates_index = input.create_index.has_value();
  const bool deletes_index = !input.delete_index.empty();
  if ((creates_index || deletes_index) && input.stream_specification) {
    return Status::Validation(
        "One call of UpdateTable cannot change both the stream and an index of a table. Call it "
        "once "
        "for each.");
  }
  if (creates_index && deletes_index) return OneIndexAtATime();
  if (creates_index || deletes_index || input.stream_specification || input.deletion_protection ||
      input.annotations) {
    return {};
  }
  return Status::Validation(
      "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, "
      "GlobalSecondaryIndexUpdates or SSESpecification or ReplicaUpdates is required");
}

Status KeyspacesClash() {
  return Status::Corruption("the catalog is damaged: two tables or indexes own one keyspace");
}

bool IsBackfilling(const TableSchema& schema) {
  return std::any_of(schema.indexes.begin(), schema.indexes.end(),
                     [](const IndexSchema& index) { return index.backfilling; });
}

KeyspaceId ToKeyspaceId(std::uint32_t number) { return static_cast<KeyspaceId>(number); }

}  // namespace

Status Catalog::Load() {
  const MutexLock changing(change_mutex_);
  DOLMEN_ASSIGN_OR_RETURN(next_keyspace_, ReadNextKeyspace(*store_));
  DOLMEN_ASSIGN_OR_RETURN(std::vector<TableSchema> schemas, ReadSchemas(*store_));
  std::set<KeyspaceId> taken;
  for (TableSchema& schema : schemas) {
    for (const KeyspaceId id : schema.Keyspaces()) {
      const bool is_reserved = static_cast<std::uint32_t>(id) < next_keyspace_;
      if (!is_reserved || !taken.insert(id).second) return KeyspacesClash();
    }
    auto table = std::make_shared<LiveTable>(std::move(schema));
    const bool is_deleted = table->schema()->is_deleted;
    const WriterLock lock(mutex_);
    if (is_deleted) {
      deleted_.emplace(table->name(), std::move(table));
    } else {
      tables_.emplace(table->name(), std::move(table));
    }
  }
  return PurgeDroppedKeyspaces(store_, taken);
}

Result<LiveTableRef> Catalog::Create(const CreateTableInput& input) {
  DOLMEN_RETURN_IF_ERROR(store_->CheckWritable());
  const MutexLock changing(change_mutex_);
  DOLMEN_ASSIGN_OR_RETURN(TableSchema schema, NewSchema(input));
  if (Find(input.name).ok()) {
    return Status::ResourceInUse("Table already exists: " + input.name);
  }
  WriteBatch batch;
  DOLMEN_RETURN_IF_ERROR(PutSchema(schema, &batch));
  DOLMEN_RETURN_IF_ERROR(WriteNew(input, std::move(batch)));
  auto table = std::make_shared<LiveTable>(std::move(schema));
  const WriterLock lock(mutex_);
  tables_.emplace(table->name(), table);
  return table;
}

Result<TableSchema> Catalog::NewSchema(const CreateTableInput& input) const {
  if (FindPrepared(input.name) != nullptr) {
    return Status::ResourceInUse("Table is being used: " + input.name);
  }
  DOLMEN_ASSIGN_OR_RETURN(
      TableSchema schema,
      MakeTableSchema(input, ToKeyspaceId(next_keyspace_), clock_->Now(), changes_->next_number()));
  for (StreamSchema& stream : schema.streams) stream.created_at = NewStreamTime(input.name);
  return schema;
}

Timestamp Catalog::NewStreamTime(std::string_view name) const {
  Timestamp time = clock_->Now();
  for (const LiveTableRef& table : TablesWithStreams(name)) {
    time =
        std::max(time, table->stream_schema()->LatestStreamTime() + std::chrono::milliseconds(1));
  }
  return time;
}

Status Catalog::WriteNew(const CreateTableInput& input, WriteBatch batch) {
  DOLMEN_ASSIGN_OR_RETURN(const std::uint32_t next,
                          ReserveKeyspaces(next_keyspace_, KeyspacesNeeded(input), &batch));
  DOLMEN_RETURN_IF_ERROR(store_->Write(std::move(batch)));
  next_keyspace_ = next;
  return {};
}

Result<TableSchema> Catalog::Prepare(const CreateTableInput& input, Visibility visibility) {
  DOLMEN_RETURN_IF_ERROR(store_->CheckWritable());
  const MutexLock changing(change_mutex_);
  DOLMEN_ASSIGN_OR_RETURN(TableSchema schema, NewSchema(input));
  const bool is_listed = visibility == Visibility::kListed;
  if (is_listed && Find(input.name).ok()) return Status::TableAlreadyExists(input.name);
  WriteBatch batch;
  PutDropped(schema.Keyspaces(), &batch);
  DOLMEN_RETURN_IF_ERROR(WriteNew(input, std::move(batch)));
  const WriterLock lock(mutex_);
  if (is_listed) prepared_.emplace(input.name, std::make_shared<const TableSchema>(schema));
  return schema;
}

Status Catalog::Publish(const TableSchema& schema, const std::vector<std::string>& files) {
  const MutexLock changing(change_mutex_);
  WriteBatch batch;
  DOLMEN_RETURN_IF_ERROR(PutSchema(schema, &batch));
  DeleteDropped(schema.Keyspaces(), &batch);
  DOLMEN_RETURN_IF_ERROR(store_->AddTableFiles(files, std::move(batch)));
  const WriterLock lock(mutex_);
  prepared_.erase(schema.name);
  tables_.emplace(schema.name, std::make_shared<LiveTable>(schema));
  return {};
}

void Catalog::Abandon(const TableSchema& schema) {
  PurgeKeyspaces(store_, schema.Keyspaces());
  const WriterLock lock(mutex_);
  std::erase_if(prepared_,
                [&](const auto& prepared) { return prepared.second->keyspace == schema.keyspace; });
}

Result<LiveTableRef> Catalog::Find(std::string_view name) const {
  const ReaderLock lock(mutex_);
  const auto found = tables_.find(name);
  if (found == tables_.end()) return NoSuchTable();
  return found->second;
}

Result<LiveTableRef> Catalog::FindToManage(std::string_view name) const {
  Result<LiveTableRef> found = Find(name);
  if (found.ok()) return found;
  return Status::ResourceNotFound(
      std::string("Requested resource not found: Table: ").append(name).append(" not found"));
}

std::shared_ptr<const TableSchema> Catalog::FindPrepared(std::string_view name) const {
  const ReaderLock lock(mutex_);
  const auto found = prepared_.find(name);
  return found == prepared_.end() ? nullptr : found->second;
}

std::vector<std::string> Catalog::List(std::string_view after, std::size_t count_max) const {
  const ReaderLock lock(mutex_);
  std::vector<std::string> names;
  auto table = tables_.upper_bound(after);
  auto prepared = prepared_.upper_bound(after);
  while (names.size() < count_max && (table != tables_.end() || prepared != prepared_.end())) {
    const bool is_prepared =
        table == tables_.end() || (prepared != prepared_.end() && prepared->first < table->first);
    names.push_back(is_prepared ? (prepared++)->first : (table++)->first);
  }
  return names;
}

std::vector<LiveTableRef> Catalog::Tables() const {
  const ReaderLock lock(mutex_);
  std::vector<LiveTableRef> tables;
  for (const auto& [name, table] : tables_) tables.push_back(table);
  return tables;
}

std::vector<LiveTableRef> Catalog::TablesWithStreams(std::string_view name) const {
  std::vector<LiveTableRef> tables;
  const auto add = [&](const auto& by_name) {
    const auto [first, last] =
        name.empty() ? std::pair(by_name.begin(), by_name.end()) : by_name.equal_range(name);
    for (auto table = first; table != last; ++table) tables.push_back(table->second);
  };
  const ReaderLock lock(mutex_);
  add(deleted_);
  add(tables_);
  const auto by_name = [](const LiveTableRef& a, const LiveTableRef& b) {
    return a->name() < b->name();
  };
  if (!deleted_.empty()) std::ranges::stable_sort(tables, by_name);  // tables_ is sorted already
  return tables;
}

bool Catalog::HasDisabledStreams() const {
  const auto has_disabled = [](const auto& named) {
    return std::ranges::any_of(named.second->stream_schema()->streams,
                               [](const StreamSchema& s) { return s.disabled_at.has_value(); });
  };
  const ReaderLock lock(mutex_);
  return std::ranges::any_of(deleted_, has_disabled) || std::ranges::any_of(tables_, has_disabled);
}

Status Catalog::Drop(std::string_view name, const LastCopy& copy) {
  DOLMEN_RETURN_IF_ERROR(store_->CheckWritable());
  const MutexLock changing(change_mutex_);
  if (FindPrepared(name) != nullptr) {
    return Status::ResourceInUse(
        std::string("Attempt to change a resource which is still in use: Table is being created: ")
            .append(name));
  }
  DOLMEN_ASSIGN_OR_RETURN(const LiveTableRef& table, FindToManage(name));
  const TableSchema schema = table->CopyWithAnnotations();
  if (schema.deletion_protection) {
    return Status::Validation(
        "Resource cannot be deleted as it is currently protected against deletion. Disable "
        "deletion protection first.");
  }
  // From here on no write to the table begins. Waits for the writes that have begun.
  table->Drop();
  locks_->WaitForAll();
  const TableSchema remains = DeletedTable(schema, changes_->now());
  std::vector<KeyspaceId> purged = schema.Keyspaces();
  for (const KeyspaceId kept : remains.Keyspaces()) std::erase(purged, kept);
  Status dropped = copy ? copy(schema) : Status();
  if (dropped.ok()) dropped = PersistDrop(schema, remains, purged);
  if (!dropped.ok()) {
    table->Undrop();
    return dropped;
  }
  {
    const WriterLock lock(mutex_);
    if (!remains.streams.empty()) {
      deleted_.emplace(remains.name, std::make_shared<LiveTable>(remains));
    }
    tables_.erase(tables_.find(name));
  }
  PurgeKeyspaces(store_, purged);
  return {};
}

Status Catalog::PersistDrop(const TableSchema& schema, const TableSchema& remains,
                            std::span<const KeyspaceId> dropped) {
  WriteBatch batch;
  batch.OnlyDeletes();
  DeleteSchema(schema, &batch);
  PutDropped(dropped, &batch);
  if (!remains.streams.empty()) DOLMEN_RETURN_IF_ERROR(PutSchema(remains, &batch));
  if (!schema.AllStreams().empty()) changes_->PutNextNumber(&batch);
  return store_->Write(std::move(batch));
}

Status Catalog::ForgetDeleted(const LiveTableRef& table, std::span<const KeyspaceId> dropped) {
  WriteBatch batch;
  batch.OnlyDeletes();
  DeleteSchema(*table->stream_schema(), &batch);
  PutDropped(dropped, &batch);
  changes_->PutNextNumber(&batch);
  DOLMEN_RETURN_IF_ERROR(store_->Write(std::move(batch)));
  {
    const WriterLock lock(mutex_);
    std::erase_if(deleted_, [&](const auto& deleted) { return deleted.second == table; });
  }
  PurgeKeyspaces(store_, dropped);
  return {};
}

void Catalog::Retire() {
  const MutexLock changing(change_mutex_);
  {
    const WriterLock lock(mutex_);
    for (const auto& [name, table] : tables_) table->Drop();
    tables_.clear();
    deleted_.clear();
  }
  locks_->WaitForAll();
}

Status Catalog::PersistAndPublish(LiveTable& table, TableSchema schema,
                                  std::span<const KeyspaceId> dropped, WriteBatch batch) {
  DOLMEN_RETURN_IF_ERROR(PutSchema(schema, &batch));
  PutDropped(dropped, &batch);
  DOLMEN_RETURN_IF_ERROR(store_->Write(std::move(batch)));
  table.Replace(std::move(schema));
  locks_->WaitForAll();
  PurgeKeyspaces(store_, dropped);
  return {};
}

Status Catalog::PersistAndPublishWithKeyspace(LiveTable& table, Result<TableSchema> schema) {
  if (!schema.ok()) return schema.status();
  WriteBatch batch;
  DOLMEN_ASSIGN_OR_RETURN(const std::uint32_t next, ReserveKeyspaces(next_keyspace_, 1, &batch));
  Status published = PersistAndPublish(table, *std::move(schema), {}, std::move(batch));
  if (published.ok()) next_keyspace_ = next;
  return published;
}

Result<LiveTableRef> Catalog::Update(const UpdateTableInput& input) {
  DOLMEN_RETURN_IF_ERROR(store_->CheckWritable());
  DOLMEN_RETURN_IF_ERROR(CheckChanges(input));
  const MutexLock changing(change_mutex_);
  DOLMEN_ASSIGN_OR_RETURN(LiveTableRef table, FindToManage(input.name));
  TableSchema schema = table->CopyWithAnnotations();
  if (input.deletion_protection) schema.deletion_protection = *input.deletion_protection;
  if (input.annotations) {
    schema.annotations = MergeAnnotations(schema.annotations, *input.annotations);
    DOLMEN_RETURN_IF_ERROR(CheckAnnotations(schema.annotations));
  }
  Status changed;
  if (input.create_index) {
    changed = AddIndex(*table, std::move(schema), *input.create_index);
  } else if (!input.delete_index.empty()) {
    changed = DropIndex(*table, std::move(schema), input.delete_index);
  } else if (input.stream_specification) {
    changed = ChangeStream(*table, std::move(schema), *input.stream_specification);
  } else if (input.deletion_protection) {
    changed = PersistAndPublish(*table, std::move(schema));
  } else {
    changed = PersistAnnotations(*table, std::move(schema));
  }
  if (!changed.ok()) return changed;
  return table;
}

Status Catalog::PersistAnnotations(LiveTable& table, TableSchema schema) {
  WriteBatch batch;
  DOLMEN_RETURN_IF_ERROR(PutSchema(schema, &batch));
  DOLMEN_RETURN_IF_ERROR(store_->Write(std::move(batch)));
  table.Annotate(std::move(schema.annotations));
  return {};
}

Status Catalog::AddIndex(LiveTable& table, TableSchema schema, const GlobalSecondaryIndex& index) {
  if (IsBackfilling(schema)) return OneIndexAtATime();
  return PersistAndPublishWithKeyspace(table,
                                       WithIndex(schema, index, ToKeyspaceId(next_keyspace_)));
}

Status Catalog::DropIndex(LiveTable& table, TableSchema schema, const std::string& name) {
  const auto is_named = [&](const IndexSchema& index) {
    return index.name == name && !index.is_local();
  };
  const auto index = std::find_if(schema.indexes.begin(), schema.indexes.end(), is_named);
  if (index == schema.indexes.end()) {
    return Status::ResourceNotFound("Requested resource not found: Index " + name + " for table " +
                                    schema.name);
  }
  const std::vector<KeyspaceId> dropped = {index->keyspace};
  schema.indexes.erase(index);
  return PersistAndPublish(table, std::move(schema), dropped);
}

Status Catalog::ChangeStream(LiveTable& table, TableSchema schema,
                             const StreamSpecification& specification) {
  if (!specification.enabled) {
    Result<TableSchema> without = WithoutStream(schema, specification, changes_->now());
    return without.ok() ? PersistAndPublish(table, *std::move(without)) : without.status();
  }
  return PersistAndPublishWithKeyspace(table, WithStream(schema, specification,
                                                         {.keyspace = ToKeyspaceId(next_keyspace_),
                                                          .created_at = NewStreamTime(schema.name),
                                                          .first = changes_->next_number()}));
}

Status Catalog::DropOldStreams() {
  const MutexLock changing(change_mutex_);
  const Timestamp now = clock_->Now();
  const auto is_old = [&](const StreamSchema& stream) { return !stream.IsReadable(now); };
  for (const LiveTableRef& table : TablesWithStreams()) {
    if (std::ranges::none_of(table->schema()->streams, is_old)) continue;
    TableSchema schema = table->CopyWithAnnotations();
    std::vector<KeyspaceId> dropped;
    for (const StreamSchema& stream : schema.streams) {
      if (!is_old(stream)) continue;
      DOLMEN_ASSIGN_OR_RETURN(const SequenceNumber last, changes_->LastNumber(stream));
      schema.last_of_gone_streams = std::max(schema.last_of_gone_streams, last);
      dropped.push_back(stream.keyspace);
    }
    std::erase_if(schema.streams, is_old);
    if (schema.is_deleted && schema.streams.empty()) {
      DOLMEN_RETURN_IF_ERROR(ForgetDeleted(table, dropped));
      continue;
    }
    WriteBatch batch;
    changes_->PutNextNumber(&batch);
    DOLMEN_RETURN_IF_ERROR(PersistAndPublish(*table, std::move(schema), dropped, std::move(batch)));
  }
  return {};
}

Result<LiveTableRef> Catalog::UpdateTimeToLive(const UpdateTimeToLiveInput& input) {
  DOLMEN_RETURN_IF_ERROR(store_->CheckWritable());
  const MutexLock changing(change_mutex_);
  DOLMEN_ASSIGN_OR_RETURN(LiveTableRef table, FindToManage(input.table_name));
  const TableSchema schema = table->CopyWithAnnotations();
  Status changed;
  if (!schema.expiry && input.specification.enabled) {
    changed = PersistAndPublishWithKeyspace(
        *table, WithExpiry(schema, input.specification, ToKeyspaceId(next_keyspace_)));
  } else {
    changed = ChangeExpiry(*table, schema, input.specification);
  }
  if (!changed.ok()) return changed;
  return table;
}

Status Catalog::UpdateRecoveryLog(const UpdateContinuousBackupsInput& input) {
  DOLMEN_RETURN_IF_ERROR(store_->CheckWritable());
  const MutexLock changing(change_mutex_);
  DOLMEN_ASSIGN_OR_RETURN(const LiveTableRef& table, FindToManage(input.table_name));
  DOLMEN_ASSIGN_OR_RETURN(TableSchema schema,
                          WithRecoveryLog(table->CopyWithAnnotations(), input,
                                          {.keyspace = ToKeyspaceId(next_keyspace_),
                                           .created_at = changes_->now(),
                                           .first = changes_->next_number()}));
  const std::optional<StreamSchema> before = table->schema()->recovery_log;
  if (!schema.recovery_log) {
    if (!before) return {};
    const std::vector<KeyspaceId> dropped = {before->keyspace};
    WriteBatch batch;
    changes_->PutNextNumber(&batch);
    return PersistAndPublish(*table, std::move(schema), dropped, std::move(batch));
  }
  DOLMEN_RETURN_IF_ERROR(before ? PersistAndPublish(*table, std::move(schema))
                                : PersistAndPublishWithKeyspace(*table, std::move(schema)));
  // Until here, writes and trims may have used the former schema: writes without a record, trims with
  // the former period. All of them have ended, so the present is a time that can be restored.
  TableSchema begun = table->CopyWithAnnotations();
  Timestamp& earliest = begun.recovery_log->created_at;
  earliest = before ? std::max(earliest, changes_->now() - before->retention) : changes_->now();
  return PersistAndPublish(*table, std::move(begun));
}

Status Catalog::ChangeExpiry(LiveTable& table, TableSchema schema,
                             const TimeToLiveSpecification& specification) {
  if (!schema.expiry) return Status::Validation("TimeToLive is already disabled");
  const std::string& attribute = specification.attribute_name;
  if (attribute != schema.expiry->attribute() && (specification.enabled || !attribute.empty())) {
    return Status::Validation(
        "TimeToLive is active on a different AttributeName: current AttributeName is " +
        schema.expiry->attribute());
  }
  if (!specification.enabled) {
    const std::vector<KeyspaceId> dropped = {schema.expiry->index.keyspace};
    schema.expiry.reset();
    return PersistAndPublish(table, std::move(schema), dropped);
  }
  if (specification.hide_expired == schema.expiry->hide_expired) {
    return Status::Validation("TimeToLive is already enabled");
  }
  schema.expiry->hide_expired = specification.hide_expired;
  return PersistAndPublish(table, std::move(schema));
}

Status Catalog::FinishBackfill(LiveTable& table, KeyspaceId keyspace) {
  const MutexLock changing(change_mutex_);
  const TableSchema* const current = table.schema();
  if (current == nullptr || current->FindIndex(keyspace) == nullptr) return {};
  TableSchema schema = table.CopyWithAnnotations();
  for (IndexSchema& index : schema.indexes) {
    if (index.keyspace == keyspace) index.backfilling = false;
  }
  if (schema.expiry && schema.expiry->index.keyspace == keyspace) {
    schema.expiry->index.backfilling = false;
  }
  WriteBatch batch;
  batch.Delete(BackfillKey(keyspace));
  return PersistAndPublish(table, std::move(schema), {}, std::move(batch));
}

}  // namespace dolmen::engine
