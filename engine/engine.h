// An open database: its store, its tables, its locks and its clock, and what happens to it without
// a caller.

#pragma once

#include <filesystem>
#include <memory>

#include "dolmen/clock.h"
#include "dolmen/open_options.h"
#include "dolmen/result.h"
#include "dolmen/tables.h"
#include "engine/change/backfill.h"
#include "engine/storage/store.h"
#include "engine/table/catalog.h"
#include "engine/table/lock_table.h"
#include "engine/table/token_log.h"
#include "engine/table/write_items.h"

namespace dolmen::engine {

// Callable from any number of threads.
class Engine {
 public:
  // Contracts: dolmen/database.h.
  static Result<std::shared_ptr<Engine>> Open(const std::filesystem::path& directory,
                                              const OpenOptions& options);
  static Result<std::shared_ptr<Engine>> InMemory(const OpenOptions& options);
  Result<TableDescription> DescribeTable(std::string_view name) const;
  Result<TableDescription> UpdateTable(const UpdateTableInput& input);
  Status DeleteTable(std::string_view name);

  // The store's options for a database on disk, for tests that change some of them.
  static StoreOptions StoreOptionsFor(const std::filesystem::path& directory,
                                      const OpenOptions& options);
  static Result<std::shared_ptr<Engine>> OpenStore(const StoreOptions& store_options,
                                                   const OpenOptions& options);

  Store& store() { return *store_; }
  LockTable& locks() { return locks_; }
  Catalog& catalog() { return catalog_; }
  Backfiller& backfiller() { return backfiller_; }
  OnConflict on_conflict() const { return on_conflict_; }
  WriteContext write_context() { return {*store_, locks_, tokens_, on_conflict_}; }
  const std::shared_ptr<Clock>& clock() const { return clock_; }

 private:
  Engine(std::unique_ptr<Store> store, std::shared_ptr<Clock> clock, OnConflict on_conflict)
      : store_(std::move(store)),
        clock_(std::move(clock)),
        on_conflict_(on_conflict),
        catalog_(store_.get(), &locks_, clock_.get()),
        tokens_(store_.get(), clock_.get()),
        backfiller_(store_.get(), &locks_, &catalog_) {}

  Result<TableDescription> Describe(const LiveTable& table) const;

  std::unique_ptr<Store> store_;
  std::shared_ptr<Clock> clock_;
  OnConflict on_conflict_;
  LockTable locks_;
  Catalog catalog_;
  TokenLog tokens_;
  Backfiller backfiller_;  // the last: its thread uses all the others
};

}  // namespace dolmen::engine
