// The catalog: the tables of an open database, the keyspaces that they own, and changes of tables.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/clock.h"
#include "dolmen/create_table.h"
#include "dolmen/point_in_time.h"
#include "dolmen/result.h"
#include "dolmen/time_to_live.h"
#include "dolmen/update_table.h"
#include "engine/base/mutex.h"
#include "engine/schema/live_table.h"
#include "engine/schema/table_schema.h"
#include "engine/storage/store.h"
#include "engine/stream/change_log.h"
#include "engine/write/lock_table.h"

namespace dolmen::engine {

// The tables of a database, by name. A change of a table has four steps:
//
// 1. One batch stores the new schema and marks the keyspaces that the table no longer owns as
//    dropped.
// 2. LiveTable publishes the new schema to all threads.
// 3. The catalog waits until no writer uses the old schema: it acquires and releases every row lock
//    once.
// 4. The catalog purges the dropped keyspaces. The Backfiller builds a new index later, in its own
//    thread.
//
// A crash between two steps loses nothing: the stored catalog says which keyspaces to purge and
// which indexes to build. Load and the Backfiller then finish the work.
//
// Thread-safe. One change runs at a time. A thread that holds a row lock must not change a table,
// because the change waits for that lock.
class Catalog {
 public:
  // REQUIRES: the store, the row locks, the change log and the clock outlive the catalog.
  Catalog(Store* store, LockTable* locks, ChangeLog* changes, Clock* clock)
      : store_(store), locks_(locks), changes_(changes), clock_(clock) {}

  // Reads the tables from the store, and purges the keyspaces of dropped tables, indexes and
  // streams.
  // - kCorruption: an entry of the catalog is damaged, or two tables or indexes own the same
  //   keyspace.
  // - kUnsupportedFormat: a newer release wrote an entry.
  // REQUIRES: Load is called once, before every other method.
  Status Load() DOLMEN_EXCLUDES(change_mutex_);

  // Creates a table.
  // - kValidation: the table breaks a rule of MakeTableSchema, or no keyspace number is left.
  // - kResourceInUse: a table has the name already.
  // - kStorage: the store cannot be written.
  Result<LiveTableRef> Create(const CreateTableInput& input) DOLMEN_EXCLUDES(change_mutex_);

  // Returns the table with the name.
  // - kResourceNotFound, with DynamoDB's message for operations on items: no table has the name.
  Result<LiveTableRef> Find(std::string_view name) const;
  // Returns the table with the name.
  // - kResourceNotFound, with DynamoDB's message for operations on tables: no table has the name.
  Result<LiveTableRef> FindToManage(std::string_view name) const;

  // Returns the schema of a prepared table (Prepare), or null if no prepared table has the name.
  std::shared_ptr<const TableSchema> FindPrepared(std::string_view name) const;

  // Returns the first `count_max` names of tables and of prepared tables that sort after `after`, in
  // order.
  std::vector<std::string> List(std::string_view after, std::size_t count_max) const;
  // Returns all tables, in the order of their names.
  std::vector<LiveTableRef> Tables() const;
  // Returns the tables with the name, or all tables if `name` is empty: the table, and the deleted
  // tables whose streams are kept. Their order is that of their names, and then of their creation.
  std::vector<LiveTableRef> TablesWithStreams(std::string_view name = {}) const;

  // Contract: Database::UpdateTable. A new index is not complete when Update returns: writers
  // maintain the index, and the Backfiller adds the entries of older rows later.
  Result<LiveTableRef> Update(const UpdateTableInput& input) DOLMEN_EXCLUDES(change_mutex_);
  // Contract: Database::UpdateTimeToLive. The index of a new time to live is not complete when this
  // method returns: writers maintain the index, and the Backfiller adds the entries of older rows
  // later.
  Result<LiveTableRef> UpdateTimeToLive(const UpdateTimeToLiveInput& input)
      DOLMEN_EXCLUDES(change_mutex_);
  // A function that gets the last state of a table that is being dropped.
  using LastCopy = std::function<Status(const TableSchema&)>;
  // Contract: Database::DeleteTable. Keeps the streams of the table. Calls `copy`, unless it is empty,
  // after the last write to the table has ended and before anything is deleted. The schema has the
  // table's annotations. After an error of `copy`, the table stays as it was.
  Status Drop(std::string_view name, const LastCopy& copy = {}) DOLMEN_EXCLUDES(change_mutex_);

  // Enables or disables the recovery log of the table, or changes its retention.
  // Contract: Database::UpdateContinuousBackups.
  Status UpdateRecoveryLog(const UpdateContinuousBackupsInput& input)
      DOLMEN_EXCLUDES(change_mutex_);

  // The visibility of a prepared table.
  // - kListed: FindPrepared and List show the table.
  // - kHidden: nothing shows the table, and its name may be that of another table. It is never
  //   published.
  enum class Visibility : std::uint8_t { kListed, kHidden };

  // Begins to create a table whose rows and index entries the caller writes. Returns the schema of
  // the table. Until Publish, only FindPrepared and List show the table. The keyspaces are marked as
  // dropped until then, so that the next opening of the database purges them after a crash. The
  // caller then calls either Publish or Abandon.
  // - kValidation: the table breaks a rule of MakeTableSchema, or no keyspace number is left.
  // - kTableAlreadyExists: a table has the name already.
  // - kResourceInUse: a table with the name is being created in the same way.
  // - kStorage: the store cannot be written.
  Result<TableSchema> Prepare(const CreateTableInput& input,
                              Visibility visibility = Visibility::kListed)
      DOLMEN_EXCLUDES(change_mutex_);
  // Adds the table files that have the contents of a prepared table to the store, and makes the table visible. A copy
  // of the store has both or neither. The call after an error is Abandon. Fails as Store::AddTableFiles does.
  Status Publish(const TableSchema& schema, const std::vector<std::string>& files)
      DOLMEN_EXCLUDES(change_mutex_);
  // Deletes the contents of a prepared table.
  void Abandon(const TableSchema& schema);

  // Marks all tables as dropped, waits for the writers that use them, and forgets the tables. Keeps
  // their data.
  void Retire() DOLMEN_EXCLUDES(change_mutex_);

  // Drops each disabled stream whose retention has passed since the stream was disabled.
  Status DropOldStreams() DOLMEN_EXCLUDES(change_mutex_);
  // Returns true if a stream is disabled, so that DropOldStreams will have to drop it.
  bool HasDisabledStreams() const;

  // Records that the backfill of the index, or of the time to live, has built all entries. Does
  // nothing if the table or the index is dropped.
  Status FinishBackfill(LiveTable& table, KeyspaceId index) DOLMEN_EXCLUDES(change_mutex_);

 private:
  // Writes the schema together with `batch`. Then publishes the schema, waits for the writers that
  // use the former schema, and purges the keyspaces in `dropped`, which the table no longer owns.
  Status PersistAndPublish(LiveTable& table, TableSchema schema,
                           std::span<const KeyspaceId> dropped = {}, WriteBatch batch = {})
      DOLMEN_REQUIRES(change_mutex_);
  // Stores and publishes a schema that owns one new keyspace, whose number is next_keyspace_.
  // Reserves the keyspace. If `schema` is an error, returns the error.
  Status PersistAndPublishWithKeyspace(LiveTable& table, Result<TableSchema> schema)
      DOLMEN_REQUIRES(change_mutex_);
  // Stores that the table does not exist any more, marks the keyspaces in `dropped`, and stores what
  // remains of the table, if it has streams.
  Status PersistDrop(const TableSchema& schema, const TableSchema& remains,
                     std::span<const KeyspaceId> dropped) DOLMEN_REQUIRES(change_mutex_);
  // Removes the entry of a deleted table, whose last streams are in `dropped`, and purges them.
  Status ForgetDeleted(const LiveTableRef& table, std::span<const KeyspaceId> dropped)
      DOLMEN_REQUIRES(change_mutex_);
  // Stores a schema that differs from the current one in its annotations alone. No operation
  // depends on annotations, so the method does not wait for writers.
  Status PersistAnnotations(LiveTable& table, TableSchema schema) DOLMEN_REQUIRES(change_mutex_);
  // Each of these functions makes one kind of change for Update or UpdateTimeToLive. `schema` is a
  // copy of the current schema.
  Status AddIndex(LiveTable& table, TableSchema schema, const GlobalSecondaryIndex& index)
      DOLMEN_REQUIRES(change_mutex_);
  Status DropIndex(LiveTable& table, TableSchema schema, const std::string& name)
      DOLMEN_REQUIRES(change_mutex_);
  Status ChangeStream(LiveTable& table, TableSchema schema,
                      const StreamSpecification& specification) DOLMEN_REQUIRES(change_mutex_);
  Status ChangeExpiry(LiveTable& table, TableSchema schema,
                      const TimeToLiveSpecification& specification) DOLMEN_REQUIRES(change_mutex_);

  // Returns the schema of a new table, with the next keyspace numbers.
  // - kValidation: the table breaks a rule of MakeTableSchema.
  // - kResourceInUse: a table with the name is prepared.
  Result<TableSchema> NewSchema(const CreateTableInput& input) const DOLMEN_REQUIRES(change_mutex_);
  // Returns the time of creation for a new stream of the table with this name. The time is the label of
  // the stream, so it differs from the times of the table's other streams, and of the kept streams of
  // deleted tables with the name, whatever the clock says.
  Timestamp NewStreamTime(std::string_view name) const DOLMEN_REQUIRES(change_mutex_);
  // Writes the batch, and reserves the keyspaces of the new table with it.
  Status WriteNew(const CreateTableInput& input, WriteBatch batch) DOLMEN_REQUIRES(change_mutex_);

  Store* store_;
  LockTable* locks_;
  ChangeLog* changes_;
  Clock* clock_;
  Mutex change_mutex_ DOLMEN_ACQUIRED_BEFORE(mutex_);  // held during a whole change
  mutable SharedMutex mutex_;
  std::map<std::string, LiveTableRef, std::less<>> tables_ DOLMEN_GUARDED_BY(mutex_);
  // The least keyspace number that is not reserved.
  std::uint32_t next_keyspace_ DOLMEN_GUARDED_BY(change_mutex_) =
      static_cast<std::uint32_t>(KeyspaceId::kFirst);
  // The deleted tables that have streams, by name; those of one name in the order of their creation.
  std::multimap<std::string, LiveTableRef, std::less<>> deleted_ DOLMEN_GUARDED_BY(mutex_);
  // The tables between Prepare and Publish or Abandon, by name. None of them is in tables_.
  std::map<std::string, std::shared_ptr<const TableSchema>, std::less<>> prepared_
      DOLMEN_GUARDED_BY(mutex_);
};

}  // namespace dolmen::engine
