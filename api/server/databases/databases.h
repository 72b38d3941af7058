// The databases of the access keys.

#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "dolmen/database.h"
#include "dolmen/result.h"
#include "dolmen/wire.h"
#include "engine/base/mutex.h"
#include "server/databases/served_database.h"

namespace dolmen::server {

struct DatabasesOptions {
  ServedOptions served = {};
  // True: each access key has a database. False: all access keys use the original.
  bool per_access_key = true;
  // The maximum number of databases of access keys.
  std::size_t databases_max = 1000;
  // The time without a request after which the database of an access key is dropped.
  std::chrono::milliseconds idle_max = std::chrono::minutes(10);
  // The source of the time for idle_max.
  std::function<std::chrono::steady_clock::time_point()> now = &std::chrono::steady_clock::now;
};

// A database in memory, the original, and for each access key a fork of the original. Tests that
// sign with different access keys do not see each other's writes. Thread-safe.
class Databases {
 public:
  explicit Databases(Database original, DatabasesOptions options = {});

  // Returns the database of an access key. Forks the original if the key has no database yet.
  // Returns the original if `access_key` is empty or options.per_access_key is false.
  // - kValidation: there are options.databases_max databases, none of them idle.
  // - The errors of Database::Fork.
  Result<std::shared_ptr<ServedDatabase>> Find(std::string_view access_key)
      DOLMEN_EXCLUDES(creating_) DOLMEN_EXCLUDES(mutex_);

  // Makes the database of the access key `name` a fork of the database of `access_key`, in place of a
  // database that `name` has already.
  // - kValidation: options.per_access_key is false, or `name` is empty.
  // - The errors of Find.
  Status Fork(std::string_view access_key, std::string_view name) DOLMEN_EXCLUDES(creating_)
      DOLMEN_EXCLUDES(mutex_);

  // Drops the database of an access key. The next request of the access key gets a new one.
  // - kValidation: the database is the original.
  Status Drop(std::string_view access_key) DOLMEN_EXCLUDES(mutex_);

  // Drops the databases that have been idle for options.idle_max. A request that is being executed
  // keeps its database until its end.
  void DropIdle() DOLMEN_EXCLUDES(mutex_);

  std::size_t size() const DOLMEN_EXCLUDES(mutex_);

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };
  using Map =
      std::unordered_map<std::string, std::shared_ptr<ServedDatabase>, Hash, std::equal_to<>>;

  std::shared_ptr<ServedDatabase> FindExisting(std::string_view access_key) const
      DOLMEN_EXCLUDES(mutex_);
  // Forks `source` for an access key, in place of the database that the access key has.
  // - kValidation: there are options.databases_max other databases, none of them idle.
  // - The errors of Database::Fork.
  Result<std::shared_ptr<ServedDatabase>> Create(const ServedDatabase& source,
                                                 std::string_view access_key)
      DOLMEN_REQUIRES(creating_) DOLMEN_EXCLUDES(mutex_);

  const DatabasesOptions options_;
  const std::shared_ptr<ServedDatabase> original_;
  Mutex creating_;  // held while a database is created, so that each key gets only one
  mutable SharedMutex mutex_;
  Map by_key_ DOLMEN_GUARDED_BY(mutex_);
};

}  // namespace dolmen::server
