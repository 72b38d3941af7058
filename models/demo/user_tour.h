// The user model's part of the demo.

#pragma once

#include <dolmen/status.h>

#include <filesystem>

namespace dolmen::demo {

// Opens the users' database in `directory`, loads the sample data if it is new, and shows each
// access pattern on it.
Status ShowUser(const std::filesystem::path& directory);

}  // namespace dolmen::demo
