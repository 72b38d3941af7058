// The command `dolmen copy`, which copies a table between directories, services and exports.

#pragma once

#include "command/command.h"

namespace dolmen::command {

// Adds the command to `app`, as command.h describes.
void AddCopyCommand(CLI::App* app, CommandResult* result);

}  // namespace dolmen::command
