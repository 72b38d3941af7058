// The chat's part of the demo.

#pragma once

#include <dolmen/result.h>

#include <filesystem>

namespace dolmen::demo {

// Opens the chat's database in `directory`. Loads the data if it is not stored yet, and shows the
// access patterns AP1 to AP7.
Status ShowChat(const std::filesystem::path& directory);

}  // namespace dolmen::demo
