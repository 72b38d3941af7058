// Control of the operating system's page cache.

#pragma once

#include <filesystem>

#include "dolmen/result.h"

namespace dolmen::bench {

// Writes the files of `directory` to the disk and drops them from the page cache, so that the next
// read waits for the disk. REQUIRES: no process has opened or mapped the files
Status DropFromPageCache(const std::filesystem::path& directory);

}  // namespace dolmen::bench
