#include "database/simulate/table_states.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "engine/base/status_macros.h"
#include "engine/schema/live_table.h"
#include "engine/schema/table_schema.h"

namespace dolmen::database {
namespace {

Status InUse(TableStatus status, std::string_view table) {
  const char* const change = status == TableStatus::kCreating   ? "created"
                             : status == TableStatus::kUpdating ? "updated"
                                                                : "deleted";
  return Status::ResourceInUse(
      std::string("Attempt to change a resource which is still in use: Table is being ")
          .append(change)
          .append(": ")
          .append(table));
}

}  // namespace

const TableStates::States* TableStates::Find(std::string_view table) const {
  const auto found = tables_.find(table);
  return found != tables_.end() ? &found->second : nullptr;
}

TableStatus TableStates::StatusOf(std::string_view table, Timestamp now) const {
  const States* const states = Find(table);
  return states != nullptr && now < states->until ? states->status : TableStatus::kActive;
}

Status TableStates::CheckUse(std::string_view table, std::string_view index, Timestamp now) const {
  const MutexLock lock(mutex_);
  const TableStatus status = StatusOf(table, now);
  if (status == TableStatus::kCreating || status == TableStatus::kDeleting)
    return engine::NoSuchTable();
  const States* const states = Find(table);
  if (index.empty() || states == nullptr) return {};
  const auto found = states->indexes.find(std::string(index));
  if (found == states->indexes.end() || now >= found->second) return {};
  return Status::Validation("Cannot read from backfilling global secondary index: " + found->first);
}

Status TableStates::CheckChange(std::string_view table, Timestamp now) const {
  const MutexLock lock(mutex_);
  const TableStatus status = StatusOf(table, now);
  return status == TableStatus::kActive ? Status() : InUse(status, table);
}

bool TableStates::HasCreatingIndex(std::string_view table, Timestamp now) const {
  const MutexLock lock(mutex_);
  const States* const states = Find(table);
  return states != nullptr && std::any_of(states->indexes.begin(), states->indexes.end(),
                                          [&](const auto& index) { return now < index.second; });
}

Status TableStates::CheckDelete(std::string_view table, Timestamp now) const {
  DOLMEN_RETURN_IF_ERROR(CheckChange(table, now));
  if (!HasCreatingIndex(table, now)) return {};
  return Status::ResourceInUse(
      "Cannot delete table while indexes are being created, updated, or deleted");
}

Status TableStates::CheckNewIndex(std::string_view table, Timestamp now) const {
  return HasCreatingIndex(table, now) ? engine::OneIndexAtATime() : Status();
}

Status TableStates::CheckTimeToLive(std::string_view table, Timestamp now) const {
  DOLMEN_RETURN_IF_ERROR(CheckChange(table, now));
  const MutexLock lock(mutex_);
  const States* const states = Find(table);
  if (states == nullptr || now >= states->time_to_live_until) return {};
  return Status::Validation(
      "Time to live has been modified multiple times within a fixed interval");
}

void TableStates::BeginCreating(const std::string& table, Timestamp now) {
  const MutexLock lock(mutex_);
  tables_[table] = {.status = TableStatus::kCreating, .until = now + delays_.create_table};
}

void TableStates::BeginUpdating(const UpdateTableInput& input, Timestamp now) {
  const MutexLock lock(mutex_);
  States& states = tables_[input.name];
  states.status = TableStatus::kUpdating;
  states.until = now + delays_.update_table;
  if (input.create_index) states.indexes[input.create_index->name] = now + delays_.create_index;
  states.indexes.erase(input.delete_index);
}

void TableStates::BeginDeleting(TableDescription table, Timestamp now) {
  const MutexLock lock(mutex_);
  States& states = tables_[table.name];
  states = {.status = TableStatus::kDeleting, .until = now + delays_.delete_table};
  states.deleted = std::move(table);
  states.deleted.status = TableStatus::kDeleting;
}

void TableStates::BeginTimeToLive(const UpdateTimeToLiveInput& input, Timestamp now) {
  const MutexLock lock(mutex_);
  States& states = tables_[input.table_name];
  const TimeToLiveSpecification& change = input.specification;
  states.time_to_live = {
      change.enabled ? TimeToLiveStatus::kEnabling : TimeToLiveStatus::kDisabling,
      change.attribute_name, change.hide_expired};
  states.time_to_live_until = now + delays_.time_to_live;
}

std::optional<TableDescription> TableStates::FindDeleting(std::string_view table,
                                                          Timestamp now) const {
  const MutexLock lock(mutex_);
  if (StatusOf(table, now) != TableStatus::kDeleting) return std::nullopt;
  return Find(table)->deleted;
}

void TableStates::SetStates(Timestamp now, TableDescription* table) const {
  const MutexLock lock(mutex_);
  // The engine itself knows the tables that a restore creates.
  if (table->status == TableStatus::kActive) table->status = StatusOf(table->name, now);
  const States* const states = Find(table->name);
  if (states == nullptr) return;
  for (GlobalSecondaryIndexDescription& described : table->global_secondary_indexes) {
    const auto found = states->indexes.find(described.index.name);
    if (found == states->indexes.end() || now >= found->second) continue;
    described.status = IndexStatus::kCreating;
    if (!described.backfill) described.backfill.emplace();
  }
}

void TableStates::SetStates(std::string_view table, Timestamp now,
                            TimeToLiveDescription* description) const {
  const MutexLock lock(mutex_);
  const States* const states = Find(table);
  if (states != nullptr && now < states->time_to_live_until) *description = states->time_to_live;
}

}  // namespace dolmen::database
