// The command `dolmen import`, which writes items from files into a table.

#pragma once

#include "command/command.h"

namespace dolmen::command {

// Adds the command to `app`, as command.h describes.
void AddImportCommand(CLI::App* app, CommandResult* result);

}  // namespace dolmen::command
