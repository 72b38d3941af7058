// The chat's part of the demo.

#pragma once

#include <dolmen/status.h>

#include <filesystem>

namespace dolmen::demo {

// Opens the chat's database in `directory`, loads it if it is new, and shows AP1 to AP7 on it.
Status ShowChat(const std::filesystem::path& directory);

}  // namespace dolmen::demo
