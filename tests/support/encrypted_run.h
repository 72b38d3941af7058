// A run of the tests in which databases are encrypted. Set the environment variable
// DOLMEN_ENCRYPTED=1 for it. tests/CMakeLists.txt lets the linker replace the functions that open,
// restore and repair a database. A test that opens a store itself asks for the key.

#pragma once

#include <filesystem>
#include <optional>

#include "dolmen/open_options.h"

namespace dolmen::test {

// Returns the key with which to open the database or backup in `directory` if the test passes
// `key`. In an encrypted run this is the key of the run, unless the test passes a key or the
// directory has another key or none. Otherwise it is `key`.
std::optional<EncryptionKey> KeyInThisRun(const std::filesystem::path& directory,
                                          const std::optional<EncryptionKey>& key = std::nullopt);

}  // namespace dolmen::test
