// The commands `dolmen backup` and `dolmen restore`.

#pragma once

#include <string>

#include "command/command.h"
#include "dolmen/backup.h"

namespace dolmen::command {

void AddBackupCommand(CLI::App* app, CommandResult* result);
void AddRestoreCommand(CLI::App* app, CommandResult* result);

// Returns the message about a complete backup: "Backed up to DIR: 1.2 GB, of which 3 MB are new."
std::string BackupText(const std::string& directory, const CopyOutput& output);

}  // namespace dolmen::command
