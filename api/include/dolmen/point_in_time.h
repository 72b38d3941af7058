// Point-in-time recovery: the restore of a table to an earlier moment, and the changes of a table during a
// period.
//
//   const auto recovery = db.UpdateContinuousBackups({.table_name = "app"});
//   ...
//   const auto past = db.RestoreTableToPointInTime(
//       {.source_table_name = "app", .restore_time = noon, .target = {.table_name = "app-noon"}});
//
// UpdateContinuousBackups makes the database record the former version of each item that a write
// changes. This costs a write as much as a stream. From then on, RestoreTableToPointInTime can
// restore each moment of the last 1 to 35 days, by the database's clock. A backup of the whole
// database, Fork and Repair keep these records. A restore creates a new table, like
// the restore of a backup (table_backup.h).

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "dolmen/backup.h"
#include "dolmen/clock.h"
#include "dolmen/item_view.h"
#include "dolmen/result.h"
#include "dolmen/table_backup.h"

namespace dolmen {

struct RestoreTableToPointInTimeInput {
  std::string source_table_name = {};
  // The table gets each change up to and including this time. Nothing: the present.
  std::optional<Timestamp> restore_time = {};
  RestoreTarget target = {};
};

// The net change of an item during a period. The views live during the call of the handler.
struct ItemChange {
  Timestamp time = {};                     // of the last change in the period
  std::optional<ItemView> old_image = {};  // at the begin of the period; nothing: no item
  std::optional<ItemView> new_image = {};  // at the end of the period; nothing: no item
};

// A function that gets the change of an item. At least one of its images is present.
using ItemChangeHandler = std::function<Status(const ItemChange&)>;

// A period whose changes are read. The table needs point-in-time recovery. Database::ReadChanges reads
// the recorded changes since the begin of the period once, and needs as much disk space as they do.
// Consecutive periods together have each change of the table, if the clock is not before the end of the
// last period when the database is reopened. Otherwise later writes may get times in a period that was
// read already. Errors:
// - kResourceNotFound: the table does not exist.
// - kPointInTimeRecoveryUnavailable: the table has no point-in-time recovery.
// - kInvalidRestoreTime: the period is empty, begins before earliest_restore_time, or ends in the
//   future.
// - kValidation: the database was opened with read_only, or is remote.
// - the first error that on_change returns.
struct ReadChangesInput {
  std::string table_name = {};
  Timestamp from = {};  // the period contains this time
  Timestamp to = {};    // the period ends before this time
  // Called with each item that the period has changed, in the order of the keys. An item that was
  // created and deleted in the period has no change. An item that a write has changed and another
  // write has changed back has one, with equal images.
  ItemChangeHandler on_change = {};
  CopyProgressHandler progress = {};
};

struct ReadChangesOutput {
  std::uint64_t items = 0;  // the number of changes
  bool complete = true;     // false if the progress handler ended the read
};

// The point-in-time recovery of a table.
struct PointInTimeRecovery {
  bool enabled = false;
  std::uint32_t period_days = 0;         // 1 to 35; 0 if not enabled
  Timestamp earliest_restore_time = {};  // the later of the enabling and the begin of the period
};

// A change of a table's point-in-time recovery (Database::UpdateContinuousBackups).
struct UpdateContinuousBackupsInput {
  std::string table_name = {};
  bool enabled = true;
  std::optional<std::uint32_t> period_days = {};  // nothing: the period as it is, or 35
};

}  // namespace dolmen

#include "dolmen/internal/show_macros.h"
