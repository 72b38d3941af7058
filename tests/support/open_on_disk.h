// Opens a database whose files are on a disk of a test.

#pragma once

#include <filesystem>
#include <memory>

#include "dolmen/database.h"
#include "tests/support/intercepted_disk.h"

namespace dolmen::test {

// Opens the database in `directory`, as Database::Open does, or creates it. `disk` holds all files
// except the marker file. A null disk is the operating system's file system.
Result<Database> OpenOnDisk(const std::filesystem::path& directory,
                            std::shared_ptr<InterceptedDisk> disk, const OpenOptions& options);

}  // namespace dolmen::test
