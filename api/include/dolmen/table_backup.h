// Backups of single tables (Database::CreateBackup), and their restore to a new table.
//
//   const auto backup = db.CreateBackup({.table_name = "app", .backup_name = "before-import"});
//   if (!backup.ok()) return backup.status();
//   ...
//   const auto restored =
//       db.RestoreTableFromBackup({.backup_id = backup->id, .target = {.table_name = "app-old"}});
//
// A backup of a table has the state of the table at one moment while CreateBackup ran. It exists
// until DeleteBackup, even if the table is deleted. It is stored in the directory of the database,
// or in memory. It shares its files with the database, so CreateBackup takes as long as linking the
// files of the database, and writes do not wait. The backup keeps the space of files that the
// database has rewritten since. A backup of the whole database (Database::Backup), Fork, Reset and
// Repair leave the backups of tables out. For a copy on another disk use Database::Backup.
//
// A restore creates a new table. The table has the items, the keys, the indexes and the annotations
// of the source, but no time to live, no stream, no deletion protection and no point-in-time
// recovery. The table is TableStatus::kCreating until it is complete. After an error or a crash the
// table does not exist. A restore reads the items of the source once, and for a point in time also
// the changes since then once. It sorts them, so until it ends it needs three times the
// space of the table on disk.

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "dolmen/attribute_value.h"
#include "dolmen/backup.h"
#include "dolmen/clock.h"
#include "dolmen/create_table.h"
#include "dolmen/describe_table.h"
#include "dolmen/item_view.h"
#include "dolmen/result.h"

namespace dolmen {

// A backup of a table.
struct TableBackup {
  std::string id = {};    // unique in the database, for example "01760000000000-1a2b3c4d"
  std::string name = {};  // as CreateBackup set it
  // True: DeleteTable created the backup, because the table had point-in-time recovery.
  bool by_service = false;
  Timestamp created_at = {};                 // by the database's clock
  std::optional<Timestamp> expires_at = {};  // the time of its deletion; only if by_service
  TableDescription table = {};               // the table at that time
  std::string time_to_live_attribute = {};   // empty: the table had no time to live
  // Not empty: why the description of the backup cannot be used, with the path of its file. Such a
  // backup cannot be restored, only deleted. The names are "unknown", and `table` is empty otherwise.
  std::string damage = {};
};

// A backup to create (Database::CreateBackup).
struct CreateBackupInput {
  std::string table_name = {};
  std::string backup_name = {};  // 3 to 255 characters of a-z A-Z 0-9 _ - .; need not be unique
};

// A function that gets an item. The view of the item lives during the call.
using ItemHandler = std::function<Status(const ItemView&)>;

// The table that a restore creates.
struct RestoreTarget {
  std::string table_name = {};
  // The indexes. Nothing: all indexes of the source. An index must have the keys and the projection
  // of an index of the source, but may have another name.
  std::optional<std::vector<GlobalSecondaryIndex>> global_secondary_indexes = {};
  std::optional<std::vector<LocalSecondaryIndex>> local_secondary_indexes = {};
  std::optional<Map> annotations = {};  // nothing: those of the source
  CopyProgressHandler progress = {};
  // If it is set, the restore creates no table. It calls the function with each item that it would
  // restore, in the order of the keys, and ends with the first error that the function returns. It
  // ignores the other members, except `progress`. It needs as much disk space as a restore.
  ItemHandler on_item = {};
};

struct RestoreTableFromBackupInput {
  std::string backup_id = {};
  RestoreTarget target = {};
};

// The result of a restore of a table.
struct RestoreTableOutput {
  std::uint64_t items = 0;
  // False if the progress handler ended the restore. The table does not exist then.
  bool complete = true;
};

}  // namespace dolmen

#include "dolmen/internal/show_macros.h"
