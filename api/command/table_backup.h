// Backups and restores of one table, which `dolmen backup` and `dolmen restore` do with the option
// --table or --backup.

#pragma once

#include <string>

#include "command/command.h"
#include "command/database_command.h"

namespace dolmen::command {

struct TableBackupOptions {
  DatabaseWords database = {};
  std::string table = {};
  std::string name = {};    // of the backup to create; empty: the table's name
  std::string backup = {};  // the id of the backup to restore; empty: restore a point in time
  std::string at = {};      // the time to restore, in ISO 8601
  std::string as = {};      // the name of the restored table
};

// Creates a backup of the table. Prints its id.
CommandResult BackUpTable(const TableBackupOptions& options);
// Prints the backups of all tables.
CommandResult ListTableBackups(const DatabaseWords& database);
// Restores a backup, or the table at a point in time, to the table `as`.
CommandResult RestoreTable(const TableBackupOptions& options);

}  // namespace dolmen::command
