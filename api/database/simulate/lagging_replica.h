// The state that eventually consistent reads of a simulation see.

#pragma once

#include <chrono>
#include <memory>
#include <string_view>

#include "dolmen/clock.h"
#include "dolmen/result.h"
#include "dolmen/table_ref.h"
#include "engine/backend.h"
#include "engine/base/mutex.h"

namespace dolmen::database {

// A fork in memory of an engine. It is replaced by a new fork when it is older than the lag. A read
// of the fork therefore sees the engine as it was at most `lag` before. Thread-safe.
class LaggingReplica {
 public:
  // Takes the first fork.
  // - An error of Database::Fork.
  static Result<std::shared_ptr<LaggingReplica>> Create(std::shared_ptr<internal::Backend> engine,
                                                        std::chrono::milliseconds lag);

  // Returns the fork's table for `table`. Returns `table` itself if the fork has no such table, or
  // if it cannot read the index. An empty `index` is the table itself.
  // REQUIRES: the engine is an Engine, and `table` is one of its tables
  // - An error of Database::Fork.
  Result<TableRef> Find(const TableRef& table, std::string_view index);

 private:
  LaggingReplica(std::shared_ptr<internal::Backend> engine, std::chrono::milliseconds lag);

  // Returns a fork that is not older than the lag.
  Result<std::shared_ptr<internal::Backend>> Fresh();

  const std::shared_ptr<internal::Backend> engine_;
  const std::chrono::milliseconds lag_;
  Mutex mutex_;
  std::shared_ptr<internal::Backend> fork_ DOLMEN_GUARDED_BY(mutex_);
  Timestamp taken_ DOLMEN_GUARDED_BY(mutex_);
};

}  // namespace dolmen::database
