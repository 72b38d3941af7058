// The command `dolmen export`, which writes a table's items as lines of JSON.

#pragma once

#include <string>

#include "command/command.h"
#include "command/database_command.h"
#include "command/output_file.h"

namespace dolmen::command {

// An export of a table to files.
struct ExportOptions {
  DatabaseWords database = {};
  std::string table = {};
  std::string output = std::string(kStandardOutput);
  OutputFileOptions file = {};
  bool skip_damaged = false;
};

// Runs the export, as the command with these options does.
CommandResult Export(const ExportOptions& options);

}  // namespace dolmen::command
