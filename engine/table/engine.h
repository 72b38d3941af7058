// An open database: its store, its tables, its locks and its clock.

#pragma once

#include <filesystem>
#include <memory>

#include "dolmen/clock.h"
#include "dolmen/open_options.h"
#include "dolmen/result.h"
#include "engine/storage/store.h"
#include "engine/table/catalog.h"
#include "engine/table/lock_table.h"

namespace dolmen::engine {

// Callable from any number of threads.
class Engine {
 public:
  // Contracts: dolmen/database.h.
  static Result<std::shared_ptr<Engine>> Open(const std::filesystem::path& directory,
                                              const OpenOptions& options);
  static Result<std::shared_ptr<Engine>> InMemory(const OpenOptions& options);

  // The store's options for a database on disk, for tests that change some of them.
  static StoreOptions StoreOptionsFor(const std::filesystem::path& directory,
                                      const OpenOptions& options);
  static Result<std::shared_ptr<Engine>> OpenStore(const StoreOptions& store_options,
                                                   const OpenOptions& options);

  Store& store() { return *store_; }
  LockTable& locks() { return locks_; }
  Catalog& catalog() { return catalog_; }
  const std::shared_ptr<Clock>& clock() const { return clock_; }

 private:
  Engine(std::unique_ptr<Store> store, std::shared_ptr<Clock> clock)
      : store_(std::move(store)), catalog_(store_.get()), clock_(std::move(clock)) {}

  std::unique_ptr<Store> store_;
  LockTable locks_;
  Catalog catalog_;
  std::shared_ptr<Clock> clock_;
};

}  // namespace dolmen::engine
