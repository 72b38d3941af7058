// The command `dolmen stats`, which shows a database's use of disk and memory.

#pragma once

#include "command/command.h"

namespace dolmen::command {

// Adds the command to `app`, as command.h describes.
void AddStatsCommand(CLI::App* app, CommandResult* result);

}  // namespace dolmen::command
