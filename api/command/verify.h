// The command `dolmen verify`, which checks a database for damage.

#pragma once

#include "command/command.h"

namespace dolmen::command {

// Adds the command to `app`, as command.h describes.
void AddVerifyCommand(CLI::App* app, CommandResult* result);

}  // namespace dolmen::command
