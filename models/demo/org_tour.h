// The organisations' part of the demo.

#pragma once

#include <dolmen/result.h>

#include <filesystem>

namespace dolmen::demo {

// Opens the database in the file directory `directory`. Loads the sample data of Org that is not
// stored yet, and shows each access pattern.
Status ShowOrg(const std::filesystem::path& directory);

}  // namespace dolmen::demo
