// The operating system's copies of files in memory.

#pragma once

#include <filesystem>

#include "dolmen/status.h"

namespace dolmen::bench {

// Afterwards the files of `directory` are on the disk only: the next read of them waits for it.
// REQUIRES: nobody has them open or mapped
Status DropFromPageCache(const std::filesystem::path& directory);

}  // namespace dolmen::bench
