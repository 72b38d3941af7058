#include "database/simulate/lagging_replica.h"

#include <utility>

#include "engine/base/status_macros.h"
#include "engine/schema/live_table.h"

namespace dolmen::database {

LaggingReplica::LaggingReplica(std::shared_ptr<internal::Backend> engine,
                               std::chrono::milliseconds lag)
    : engine_(std::move(engine)), lag_(lag) {}

Result<std::shared_ptr<LaggingReplica>> LaggingReplica::Create(
    std::shared_ptr<internal::Backend> engine, std::chrono::milliseconds lag) {
  std::shared_ptr<LaggingReplica> replica(new LaggingReplica(std::move(engine), lag));
  const auto fork = replica->Fresh();
  if (!fork.ok()) return fork.status();
  return replica;
}

Result<std::shared_ptr<internal::Backend>> LaggingReplica::Fresh() {
  const Timestamp now = engine_->clock()->Now();
  const MutexLock lock(mutex_);
  // A clock that went back also makes a new fork, because the age of the old one is unknown.
  if (fork_ != nullptr && taken_ <= now && now - taken_ < lag_) return fork_;
  DOLMEN_ASSIGN_OR_RETURN(fork_, engine_->Fork({.clock = engine_->clock()}));
  taken_ = now;
  return fork_;
}

Result<TableRef> LaggingReplica::Find(const TableRef& table, std::string_view index) {
  DOLMEN_ASSIGN_OR_RETURN(std::shared_ptr<internal::Backend> fork, Fresh());
  auto found = fork->OpenTable(table.name());
  if (!found.ok()) return table;
  TableRef copy(std::move(fork), *std::move(found));
  const engine::LiveTable& original = engine::LiveTableOf(table);
  const engine::TableSchema* const schema = engine::LiveTableOf(copy).schema();
  // A deleted table fails in the engine. A new table of the same name has another keyspace.
  if (original.schema() == nullptr || original.keyspace() != engine::LiveTableOf(copy).keyspace()) {
    return table;
  }
  if (index.empty()) return copy;
  const engine::IndexSchema* const known = schema->FindIndex(index);
  return known != nullptr && !known->backfilling ? copy : table;
}

}  // namespace dolmen::database
