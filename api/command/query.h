// The command `dolmen query`, which shows items.

#pragma once

#include "command/command.h"

namespace dolmen::command {

// Adds the command to `app`, as command.h describes.
void AddQueryCommand(CLI::App* app, CommandResult* result);

}  // namespace dolmen::command
