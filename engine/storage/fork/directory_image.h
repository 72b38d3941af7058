// The files of a database that is not open, as an independent copy in memory.

#pragma once

#include <memory>
#include <optional>
#include <string>

#include "dolmen/open_options.h"
#include "dolmen/result.h"
#include "engine/storage/files/memory_files.h"

namespace dolmen::engine {

// Copies the files of the database in `directory`, which `key` decrypts, to memory. Locks the
// directory meanwhile, and changes nothing in it. No program changes the copy.
// - kResourceInUse: the database is open, or is being copied.
// - kCorruption: the logs are damaged (CheckLogs).
// - kStorage: a file cannot be read.
// REQUIRES: PrepareDirectory has accepted the directory and the key.
Result<std::shared_ptr<const MemoryDirectory>> CopyToMemory(
    const std::string& directory, const std::optional<EncryptionKey>& key);

}  // namespace dolmen::engine
