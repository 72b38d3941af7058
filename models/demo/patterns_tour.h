// The patterns' part of the demo.

#pragma once

#include <dolmen/result.h>

#include <filesystem>

namespace dolmen::demo {

// Opens the patterns' database in `directory`, loads the sample data of the five tables, and shows their
// access patterns and errors. Loading the sample data undoes what an earlier run has written.
Status ShowPatterns(const std::filesystem::path& directory);

}  // namespace dolmen::demo
