// A copy of a table from one database to another: its definition, its items, and on request its changes.

#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include "command/command.h"
#include "command/database_command.h"

namespace dolmen::command {

struct TableCopyOptions {
  DatabaseWords from = {};
  DatabaseWords to = {};
  std::string table = {};
  std::string to_table = {};
  std::size_t parallel = 8;
  double units_per_second = 0;  // 0: no limit
  double bytes_per_second = 0;  // 0: no limit
  bool restart = false;
  bool verify = false;
  bool follow = false;
  // The time after which a copy that follows copies the changes so far, before it continues with
  // the items. A stream keeps its records for 24 hours, and an iterator expires after 15 minutes.
  std::chrono::milliseconds catch_up_after = std::chrono::minutes(10);
};

// Copies the table. Creates the target table if it does not exist. Enables the time to live at the end,
// so that no item expires in the target before the copy is verified.
CommandResult CopyTable(const TableCopyOptions& options);

// Prints the units of the copy, their price if DynamoDB counts them, and the time if a pace is given.
// Copies nothing.
CommandResult PrintCopyEstimate(const TableCopyOptions& options);

}  // namespace dolmen::command
