// How tables change.

#include <algorithm>
#include <string>
#include <utility>

#include "engine/schema/catalog.h"

namespace dolmen::engine {
namespace {

Status CheckChanges(const UpdateTableInput& input) {
  const bool makes = input.create_index.has_value();
  const bool deletes = !input.delete_index.empty();
  if ((makes || deletes) && input.stream_specification) {
    return Status::Validation(
        "Cannot change the stream and an index of a table by one call of UpdateTable");
  }
  if (makes && deletes) {
    return Status::LimitExceeded(
        "Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously "
        "per table");
  }
  if (makes || deletes || input.stream_specification || input.deletion_protection ||
      input.annotations) {
    return {};
  }
  return Status::Validation(
      "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, "
      "GlobalSecondaryIndexUpdates or SSESpecification or ReplicaUpdates is required");
}

bool IsBackfilling(const TableSchema& schema) {
  return std::any_of(schema.indexes.begin(), schema.indexes.end(),
                     [](const IndexSchema& index) { return index.backfilling; });
}

// What the caller gives in place of what there was, but for what is Dolmen's own.
Map Replaced(const Map& had, const Map& given) {
  const auto is_own = [](const std::string& name) { return name.starts_with("dolmen:"); };
  Map all;
  for (const auto& [name, value] : given) {
    if (!is_own(name) || value.type() != AttributeType::kNull) all.emplace(name, value);
  }
  for (const auto& [name, value] : had) {
    if (is_own(name) && !given.contains(name)) all.emplace(name, value);
  }
  return all;
}

KeyspaceId KeyspaceAt(std::uint32_t number) { return static_cast<KeyspaceId>(number); }

}  // namespace

Status Catalog::Show(LiveTable& table, TableSchema schema, std::span<const KeyspaceId> dropped,
                     WriteBatch batch) {
  if (Status put = PutSchema(schema, &batch); !put.ok()) return put;
  PutDropped(dropped, &batch);
  if (Status written = store_->Write(std::move(batch)); !written.ok()) return written;
  table.Replace(std::move(schema));
  locks_->WaitForAll();
  // It is gone, whether or not what it held is deleted now; else that is when the database opens.
  for (const KeyspaceId keyspace : dropped) RemoveDropped(keyspace).IgnoreError();
  return {};
}

Status Catalog::ShowWithKeyspace(LiveTable& table, Result<TableSchema> schema) {
  if (!schema.ok()) return schema.status();
  WriteBatch batch;
  const Result<std::uint32_t> next = TakeKeyspaces(1, &batch);
  if (!next.ok()) return next.status();
  Status shown = Show(table, *std::move(schema), {}, std::move(batch));
  if (shown.ok()) next_keyspace_ = *next;
  return shown;
}

Result<LiveTableRef> Catalog::Update(const UpdateTableInput& input) {
  if (Status writable = store_->CheckWritable(); !writable.ok()) return writable;
  if (Status valid = CheckChanges(input); !valid.ok()) return valid;
  const std::lock_guard changing(change_);
  Result<LiveTableRef> table = FindToManage(input.name);
  if (!table.ok()) return table;
  TableSchema schema = (*table)->CopyWithAnnotations();
  if (input.deletion_protection) schema.deletion_protection = *input.deletion_protection;
  if (input.annotations) {
    schema.annotations = Replaced(schema.annotations, *input.annotations);
    if (Status valid = CheckAnnotations(schema.annotations); !valid.ok()) return valid;
  }
  Status changed;
  if (input.create_index) {
    changed = AddIndex(**table, std::move(schema), *input.create_index);
  } else if (!input.delete_index.empty()) {
    changed = DropIndex(**table, std::move(schema), input.delete_index);
  } else if (input.stream_specification) {
    changed = ChangeStream(**table, std::move(schema), *input.stream_specification);
  } else if (input.deletion_protection) {
    changed = Show(**table, std::move(schema));
  } else {
    changed = ShowAnnotations(**table, std::move(schema));
  }
  if (!changed.ok()) return changed;
  return table;
}

Status Catalog::ShowAnnotations(LiveTable& table, TableSchema schema) {
  WriteBatch batch;
  if (Status put = PutSchema(schema, &batch); !put.ok()) return put;
  if (Status written = store_->Write(std::move(batch)); !written.ok()) return written;
  table.Annotate(std::move(schema.annotations));
  return {};
}

Status Catalog::AddIndex(LiveTable& table, TableSchema schema, const GlobalSecondaryIndex& index) {
  if (IsBackfilling(schema)) {
    return Status::LimitExceeded(
        "Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously "
        "per table");
  }
  return ShowWithKeyspace(table, WithIndex(schema, index, KeyspaceAt(next_keyspace_)));
}

Status Catalog::DropIndex(LiveTable& table, TableSchema schema, const std::string& name) {
  const auto is_it = [&](const IndexSchema& index) {
    return index.name == name && !index.is_local();
  };
  const auto index = std::find_if(schema.indexes.begin(), schema.indexes.end(), is_it);
  if (index == schema.indexes.end()) {
    return Status::ResourceNotFound("Requested resource not found: Index: " + name + " not found");
  }
  const std::vector<KeyspaceId> dropped = {index->keyspace};
  schema.indexes.erase(index);
  return Show(table, std::move(schema), dropped);
}

Status Catalog::ChangeStream(LiveTable& table, TableSchema schema,
                             const StreamSpecification& specification) {
  if (!specification.enabled) {
    Result<TableSchema> without = WithoutStream(schema, specification, changes_->now());
    return without.ok() ? Show(table, *std::move(without)) : without.status();
  }
  return ShowWithKeyspace(table, WithStream(schema, specification,
                                            {.keyspace = KeyspaceAt(next_keyspace_),
                                             .created_at = clock_->Now(),
                                             .first = changes_->next()}));
}

Status Catalog::DropOldStreams() {
  const std::lock_guard changing(change_);
  const Timestamp now = clock_->Now();
  for (const LiveTableRef& table : Tables()) {
    TableSchema schema = table->CopyWithAnnotations();
    std::vector<KeyspaceId> dropped;
    for (const StreamSchema& stream : schema.streams) {
      if (stream.IsReadable(now)) continue;
      const Result<SequenceNumber> last = changes_->LastOf(stream);
      if (!last.ok()) return last.status();
      schema.last_of_gone_streams = std::max(schema.last_of_gone_streams, *last);
      dropped.push_back(stream.keyspace);
    }
    if (dropped.empty()) continue;
    std::erase_if(schema.streams, [&](const StreamSchema& s) { return !s.IsReadable(now); });
    WriteBatch batch;
    changes_->KeepNext(&batch);
    Status shown = Show(*table, std::move(schema), dropped, std::move(batch));
    if (!shown.ok()) return shown;
  }
  return {};
}

Result<LiveTableRef> Catalog::UpdateTimeToLive(const UpdateTimeToLiveInput& input) {
  if (Status writable = store_->CheckWritable(); !writable.ok()) return writable;
  const std::lock_guard changing(change_);
  Result<LiveTableRef> table = FindToManage(input.table_name);
  if (!table.ok()) return table;
  const TableSchema schema = (*table)->CopyWithAnnotations();
  Status changed;
  if (!schema.expiry && input.specification.enabled) {
    changed = ShowWithKeyspace(**table,
                               WithExpiry(schema, input.specification, KeyspaceAt(next_keyspace_)));
  } else {
    changed = ChangeExpiry(**table, schema, input.specification);
  }
  if (!changed.ok()) return changed;
  return table;
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
    return Show(table, std::move(schema), dropped);
  }
  if (specification.hide_expired == schema.expiry->hide_expired) {
    return Status::Validation("TimeToLive is already enabled");
  }
  schema.expiry->hide_expired = specification.hide_expired;
  return Show(table, std::move(schema));
}

Status Catalog::FinishBackfill(LiveTable& table, KeyspaceId keyspace) {
  const std::lock_guard changing(change_);
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
  return Show(table, std::move(schema), {}, std::move(batch));
}

}  // namespace dolmen::engine
