// The command `dolmen serve`, which serves DynamoDB requests on a port.

#pragma once

#include "command/command.h"

namespace dolmen::command {

// Adds the command to `app`, as command.h describes.
void AddServeCommand(CLI::App* app, CommandResult* result);

}  // namespace dolmen::command
