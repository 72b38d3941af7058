// The files of a damaged database that hold data.

#pragma once

#include <rocksdb/file_system.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "dolmen/result.h"
#include "engine/repair/version.h"

namespace dolmen::engine {

// A table file, and its first and last key if the manifest lists it.
struct TableFileToRead {
  std::filesystem::path path = {};
  std::string first = {};
  std::optional<std::string> last = {};
};

struct DataFiles {
  std::vector<TableFileToRead> tables = {};
  std::vector<std::filesystem::path> logs = {};  // from the oldest to the newest
  std::uint64_t oldest_log = 0;  // the number of the oldest log that the database needs
};

// Finds the files of a database in `system` that a repair reads: all table files except those that the manifest says are
// deleted, and all logs except those whose writes the table files hold. A file that the manifest
// does not list is read, too, because a damaged manifest may lack it. Calls `on_gap` for a damaged
// manifest, and for each table file that is missing or has another size than the manifest says.
// - kValidation: the directory holds no database.
// - kStorage: the directory cannot be read.
Result<DataFiles> FindDataFiles(rocksdb::FileSystem* system, const std::filesystem::path& directory,
                                const FileGapHandler& on_gap);

}  // namespace dolmen::engine
