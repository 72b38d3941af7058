// The command `dolmen draw`, which draws a picture of a table.

#pragma once

#include "command/command.h"

namespace dolmen::command {

// Adds the command to `app`, as command.h describes.
void AddDrawCommand(CLI::App* app, CommandResult* result);

}  // namespace dolmen::command
