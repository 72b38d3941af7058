// The command `dolmen shell`, which executes PartiQL statements.

#pragma once

#include "command/command.h"

namespace dolmen::command {

// Adds the command to `app`, as command.h describes.
void AddShellCommand(CLI::App* app, CommandResult* result);

}  // namespace dolmen::command
