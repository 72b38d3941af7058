// The organisations' part of the demo.

#pragma once

#include <dolmen/status.h>

#include <filesystem>

namespace dolmen::demo {

// Opens the directory's database in `directory`, loads it, and shows each access pattern on this
// data.
Status ShowOrg(const std::filesystem::path& directory);

}  // namespace dolmen::demo
