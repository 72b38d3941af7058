// The command `dolmen import`, which writes items from files into a table.

#pragma once

#include <string>
#include <vector>

#include "command/command.h"
#include "command/database_command.h"

namespace dolmen::command {

// An import of files into a table.
struct ImportOptions {
  DatabaseWords database = {};
  std::string table = {};
  std::vector<std::string> inputs = {};
  bool skip_errors = false;
  bool restart = false;
  bool create_table = false;
  std::string partition_key = {};
  std::string sort_key = {};
  std::string schema = {};
};

// Runs the import, as the command with these options does.
CommandResult Import(ImportOptions options);

}  // namespace dolmen::command
