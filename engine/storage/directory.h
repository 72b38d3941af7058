// The directory of a database, and the marker file that names its format.

#pragma once

#include <filesystem>

#include "dolmen/status.h"

namespace dolmen::engine {

// The version of the format of all files in the directory.  FORMAT.md describes it.  Data of every
// earlier version is valid in this one, so an upgrade rewrites the marker file only.
inline constexpr int kFormatVersion = 4;
// The name of the marker file.
inline constexpr const char* kMarkerFile = "DOLMEN";

// Checks that `directory` belongs to a database, before RocksDB touches anything in it.  If the
// directory is absent or empty and `create` is true, creates it and writes the marker file.
// - kValidation: the directory holds something else, or no database while `create` is false.
// - kUnsupportedFormat: a newer release wrote the marker file.
// - kCorruption: the marker file is damaged, or the file CURRENT, which names the others, is
//   missing.
// - kStorage: the file system refuses.
Status PrepareDirectory(const std::filesystem::path& directory, bool create);

// Rewrites the marker file of a database of an older format with kFormatVersion.  Does nothing to a
// database of this format.  Survives a power cut once it returns ok.
// - kCorruption, kUnsupportedFormat, kStorage: as in PrepareDirectory.
// REQUIRES: this process has the database open for writing, and has written nothing to it that an
// older release would misread.
Status UpgradeMarker(const std::filesystem::path& directory);

}  // namespace dolmen::engine
