// The states of tables, indexes and times to live that a simulation lets last.

#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "dolmen/clock.h"
#include "dolmen/describe_table.h"
#include "dolmen/result.h"
#include "dolmen/testing/simulate.h"
#include "dolmen/time_to_live.h"
#include "dolmen/update_table.h"
#include "engine/base/mutex.h"

namespace dolmen::database {

// The states that changes of tables have begun, with the time at which each state ends. A change
// itself is done at once. Thread-safe.
class TableStates {
 public:
  explicit TableStates(const SimulatedDelays& delays) : delays_(delays) {}

  // Checks that items of the table, or of its index, can be used. An empty `index` is the table.
  // - kResourceNotFound: the table is CREATING or DELETING.
  // - kValidation: the index is CREATING.
  Status CheckUse(std::string_view table, std::string_view index, Timestamp now) const;
  // Checks that the table can be changed or deleted.
  // - kResourceInUse: the table is CREATING, UPDATING or DELETING.
  Status CheckChange(std::string_view table, Timestamp now) const;
  // Checks that the table can be deleted.
  // - kResourceInUse: an error of CheckChange, or an index of the table is CREATING.
  Status CheckDelete(std::string_view table, Timestamp now) const;
  // Checks that the table can get another index.
  // - kLimitExceeded: an index of the table is CREATING.
  Status CheckNewIndex(std::string_view table, Timestamp now) const;
  // Checks that the time to live of the table can be changed.
  // - kResourceInUse: an error of CheckChange.
  // - kValidation: the time to live is ENABLING or DISABLING.
  Status CheckTimeToLive(std::string_view table, Timestamp now) const;

  // Begin a state, after a change that has succeeded.
  void BeginCreating(const std::string& table, Timestamp now);
  void BeginUpdating(const UpdateTableInput& input, Timestamp now);
  void BeginDeleting(TableDescription table, Timestamp now);  // the description before the deletion
  void BeginTimeToLive(const UpdateTimeToLiveInput& input, Timestamp now);

  // Return the description of a table that is DELETING, or nothing.
  std::optional<TableDescription> FindDeleting(std::string_view table, Timestamp now) const;
  // Set the states in a description that the engine has returned.
  void SetStates(Timestamp now, TableDescription* table) const;
  void SetStates(std::string_view table, Timestamp now, TimeToLiveDescription* description) const;

 private:
  struct States {
    TableStatus status = TableStatus::kActive;
    Timestamp until = {};
    TableDescription deleted = {};                  // while DELETING
    std::map<std::string, Timestamp> indexes = {};  // the ends of the states CREATING
    TimeToLiveDescription time_to_live = {};
    Timestamp time_to_live_until = {};
  };

  const States* Find(std::string_view table) const DOLMEN_REQUIRES(mutex_);
  TableStatus StatusOf(std::string_view table, Timestamp now) const DOLMEN_REQUIRES(mutex_);
  bool HasCreatingIndex(std::string_view table, Timestamp now) const;

  const SimulatedDelays delays_;
  mutable Mutex mutex_;
  std::map<std::string, States, std::less<>> tables_ DOLMEN_GUARDED_BY(mutex_);
};

}  // namespace dolmen::database
