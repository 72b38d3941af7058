// The course platform's part of the demo.

#pragma once

#include <dolmen/result.h>

#include <filesystem>

namespace dolmen::demo {

// Opens the platform's database in `directory`, loads the sample data, and shows its access
// patterns and its errors. Undoes all its writes, so each run shows the same results.
Status ShowCourse(const std::filesystem::path& directory);

}  // namespace dolmen::demo
