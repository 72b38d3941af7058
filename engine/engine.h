// An open database: its store, its tables, its locks and its clock, and what happens to it without
// a caller.

#pragma once

#include <filesystem>
#include <memory>

#include "dolmen/clock.h"
#include "dolmen/open_options.h"
#include "dolmen/result.h"
#include "dolmen/stats.h"
#include "dolmen/tables.h"
#include "dolmen/time_to_live.h"
#include "engine/background/backfill.h"
#include "engine/background/sweeper.h"
#include "engine/read/read.h"
#include "engine/schema/catalog.h"
#include "engine/storage/store.h"
#include "engine/stream/change_log.h"
#include "engine/stream/streams.h"
#include "engine/stream/subscriber.h"
#include "engine/write/lock_table.h"
#include "engine/write/token_log.h"
#include "engine/write/write_items.h"

namespace dolmen::engine {

// Callable from any number of threads.
class Engine {
 public:
  // Contracts: dolmen/database.h.
  static Result<std::shared_ptr<Engine>> Open(const std::filesystem::path& directory,
                                              const OpenOptions& options);
  static Result<std::shared_ptr<Engine>> InMemory(const OpenOptions& options);
  Result<TableDescription> DescribeTable(std::string_view name,
                                         ContentSizes sizes = ContentSizes::kCount) const;
  Result<TableDescription> UpdateTable(const UpdateTableInput& input);
  Status DeleteTable(std::string_view name);
  Result<TimeToLiveSpecification> UpdateTimeToLive(const UpdateTimeToLiveInput& input);
  Result<TimeToLiveDescription> DescribeTimeToLive(std::string_view name) const;
  Result<DatabaseStats> Stats() const;

  // The store's options for a database on disk, for tests that change some of them.
  static StoreOptions StoreOptionsFor(const std::filesystem::path& directory,
                                      const OpenOptions& options);
  static Result<std::shared_ptr<Engine>> OpenStore(const StoreOptions& store_options,
                                                   const OpenOptions& options);

  Store& store() { return *store_; }
  LockTable& locks() { return locks_; }
  Catalog& catalog() { return catalog_; }
  Backfiller& backfiller() { return backfiller_; }
  Sweeper& sweeper() { return sweeper_; }
  ReadContext read_context() const { return {*store_, locks_, *clock_, on_conflict_}; }
  WriteContext write_context() {
    return {*store_, locks_, tokens_, changes_, *clock_, on_conflict_};
  }
  StreamContext stream_context() { return {catalog_, changes_, locks_, *clock_}; }
  SubscriberContext subscriber_context() { return {*store_, changes_, subscriber_names_}; }
  const std::shared_ptr<Clock>& clock() const { return clock_; }

 private:
  Engine(std::unique_ptr<Store> store, const OpenOptions& options)
      : store_(std::move(store)),
        clock_(options.clock != nullptr ? options.clock : Clock::System()),
        on_conflict_(options.on_conflict),
        changes_(store_.get(), clock_.get()),
        catalog_(store_.get(), &locks_, &changes_, clock_.get()),
        tokens_(store_.get(), clock_.get()),
        backfiller_(store_.get(), &locks_, &catalog_),
        sweeper_(write_context(), &catalog_, options.expiry_lag) {}

  Status Load();

  TableDescription Describe(const LiveTable& table, const TableSchema& schema) const;

  std::unique_ptr<Store> store_;
  std::shared_ptr<Clock> clock_;
  OnConflict on_conflict_;
  LockTable locks_;
  ChangeLog changes_;
  Catalog catalog_;
  TokenLog tokens_;
  SubscriberNames subscriber_names_;
  // The last: their threads use all the others.
  Backfiller backfiller_;
  Sweeper sweeper_;
};

}  // namespace dolmen::engine
