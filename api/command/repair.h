// The command `dolmen repair`, which copies a damaged database.

#pragma once

#include "command/command.h"

namespace dolmen::command {

// Adds the command to `app`, as command.h describes.
void AddRepairCommand(CLI::App* app, CommandResult* result);

}  // namespace dolmen::command
