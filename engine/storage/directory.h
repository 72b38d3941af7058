// The directory of a database, and the marker file that names its format.

#pragma once

#include <filesystem>

#include "dolmen/status.h"

namespace dolmen::engine {

// The version of the format of all files in the directory. FORMAT.md describes it. Data of every
// earlier version is also valid in this version, so an upgrade rewrites only the marker file.
inline constexpr int kFormatVersion = 4;
// The name of the marker file.
inline constexpr const char* kMarkerFile = "DOLMEN";

// Checks that `directory` belongs to a database, before RocksDB touches anything in it. If the
// directory is absent or empty and `create` is true, creates it and writes the marker file.
// - kValidation: the directory holds other files, or `create` is false and the directory holds no
//   database.
// - kUnsupportedFormat: a newer release wrote the marker file.
// - kCorruption: the marker file is damaged, or RocksDB's file CURRENT is missing.
// - kStorage: the file system returns an error.
Status PrepareDirectory(const std::filesystem::path& directory, bool create);

// Writes kFormatVersion into the marker file if the database has an older format. The change
// survives a power cut after this returns ok.
// - kCorruption, kUnsupportedFormat, kStorage: as in PrepareDirectory.
// REQUIRES: this process has the database open for writing, and has not yet written anything that
// an older release would misread.
Status UpgradeMarker(const std::filesystem::path& directory);

}  // namespace dolmen::engine
