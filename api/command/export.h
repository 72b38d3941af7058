// The command `dolmen export`, which writes a table's items as lines of JSON.

#pragma once

#include "command/command.h"

namespace dolmen::command {

// Adds the command to `app`, as command.h describes.
void AddExportCommand(CLI::App* app, CommandResult* result);

}  // namespace dolmen::command
