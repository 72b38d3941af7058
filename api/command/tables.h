// The command `dolmen tables`, which lists a database's tables.

#pragma once

#include "command/command.h"

namespace dolmen::command {

// Adds the command to `app`, as command.h describes.
void AddTablesCommand(CLI::App* app, CommandResult* result);

}  // namespace dolmen::command
