// The user model's part of the demo.

#pragma once

#include <dolmen/result.h>

#include <filesystem>

namespace dolmen::demo {

// Opens the users' database in `directory`. Loads the sample data that is not stored yet, and shows
// each access pattern.
Status ShowUser(const std::filesystem::path& directory);

}  // namespace dolmen::demo
