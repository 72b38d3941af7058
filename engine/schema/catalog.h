// The tables of a database, the keyspaces that they have, and how tables change.

#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/clock.h"
#include "dolmen/create_table.h"
#include "dolmen/result.h"
#include "dolmen/tables.h"
#include "dolmen/time_to_live.h"
#include "engine/schema/live_table.h"
#include "engine/schema/table_schema.h"
#include "engine/storage/store.h"
#include "engine/stream/change_log.h"
#include "engine/write/lock_table.h"

namespace dolmen::engine {

// A change of a table goes through four steps: it is stored; it is shown (LiveTable); all who write
// by the old schema are waited for; what nobody needs any more is deleted, or filled.  Whoever is
// stopped between them leaves a catalog that says what is still to be done.
//
// Methods may be called from any number of threads.
class Catalog {
 public:
  // All four outlive the catalog.
  Catalog(Store* store, LockTable* locks, ChangeLog* changes, Clock* clock)
      : store_(store), locks_(locks), changes_(changes), clock_(clock) {}

  // Reads what the store holds, and deletes what is left of dropped tables and indexes.  Once,
  // before anything else.
  Status Load();

  // kValidation: not a table that DynamoDB would make.  kResourceInUse: the name is taken.
  Result<LiveTableRef> Create(const CreateTableInput& input);

  // kResourceNotFound: there is no such table.
  Result<LiveTableRef> Find(std::string_view name) const;
  // The same, in the words of the operations on tables.
  Result<LiveTableRef> FindToManage(std::string_view name) const;

  // The first names behind `after`, in order.
  std::vector<std::string> List(std::string_view after, std::size_t count_max) const;
  std::vector<LiveTableRef> Tables() const;

  // Contracts: Database::UpdateTable and DeleteTable.  A new index is there and kept up, but not
  // filled.
  Result<LiveTableRef> Update(const UpdateTableInput& input);
  // Contract: Database::UpdateTimeToLive.  As with indexes, what is there is not looked through.
  Result<LiveTableRef> UpdateTimeToLive(const UpdateTimeToLiveInput& input);
  Status Drop(std::string_view name);

  // Deletes the streams that can't be read any more.
  Status DropOldStreams();

  // The index has all its entries.  Nothing happens if it is gone by now.
  Status FinishBackfill(LiveTable& table, KeyspaceId index);

 private:
  // Stores the schema together with `batch`, publishes it, waits for the writers that use the former
  // schema, and purges the keyspaces `dropped`, which the table no longer has.
  Status PersistAndPublish(LiveTable& table, TableSchema schema,
                           std::span<const KeyspaceId> dropped = {}, WriteBatch batch = {});
  // Does the same for a schema that has one new keyspace, next_keyspace_.
  Status PersistAndPublishWithKeyspace(LiveTable& table, Result<TableSchema> schema);
  // Stores a schema that differs from the current one in its annotations alone.  No operation depends
  // on annotations, so nothing waits.
  Status PersistAnnotations(LiveTable& table, TableSchema schema);
  Status AddIndex(LiveTable& table, TableSchema schema, const GlobalSecondaryIndex& index);
  Status DropIndex(LiveTable& table, TableSchema schema, const std::string& name);
  Status ChangeStream(LiveTable& table, TableSchema schema,
                      const StreamSpecification& specification);
  Status ChangeExpiry(LiveTable& table, TableSchema schema,
                      const TimeToLiveSpecification& specification);

  Store* store_;
  LockTable* locks_;
  ChangeLog* changes_;
  Clock* clock_;
  std::mutex change_;  // one change at a time; taken before mutex_
  mutable std::shared_mutex mutex_;
  std::map<std::string, LiveTableRef, std::less<>> tables_;
  std::uint32_t next_keyspace_ = static_cast<std::uint32_t>(KeyspaceId::kFirst);
};

}  // namespace dolmen::engine
