// The directory of a database, and the file in it that says what it is.

#pragma once

#include <filesystem>

#include "dolmen/status.h"

namespace dolmen::engine {

// The format of everything below the directory; FORMAT.md describes this one.  It holds all that
// earlier ones do, so a database of one of them only has to be marked anew.
inline constexpr int kFormatVersion = 4;
inline constexpr const char* kMarkerFile = "DOLMEN";

// Makes sure that `directory` is a database's, before RocksDB touches anything in it: a new one is
// made and marked, if `create` allows it, where there is none or an empty one.
// kValidation: it holds something else, or there is none and `create` is false.
// kUnsupportedFormat: a newer release marked it.  kCorruption: the mark can't be read as one, or
// the file that names the others is missing. kStorage: the file system refuses.
Status PrepareDirectory(const std::filesystem::path& directory, bool create);

// Marks the directory of a database that an older release made with the format of this one.  Once
// it is open, and nobody else can have it open, and before anything is written to it that the older
// release would misread.
Status RaiseMark(const std::filesystem::path& directory);

}  // namespace dolmen::engine
