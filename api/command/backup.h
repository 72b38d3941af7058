// The message about a backup, which `dolmen backup` and `dolmen serve` print.

#pragma once

#include <string>

#include "dolmen/backup.h"

namespace dolmen::command {

// Returns the message about a complete backup: "Backed up to DIR: 1.2 GB, of which 3 MB are new."
std::string BackupText(const std::string& directory, const CopyOutput& output);

}  // namespace dolmen::command
