// The commands `dolmen export-model` and `dolmen import-model`, which exchange data models with NoSQL
// Workbench.

#pragma once

#include "command/command.h"

namespace dolmen::command {

// Add the commands to `app`, as command.h describes.
void AddExportModelCommand(CLI::App* app, CommandResult* result);
void AddImportModelCommand(CLI::App* app, CommandResult* result);

}  // namespace dolmen::command
