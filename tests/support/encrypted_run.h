// A run of the tests in which databases are encrypted. Set the environment variable
// DOLMEN_ENCRYPTED=1 for it. Database::Open, Database::InMemoryFrom, Database::Restore and Repair then use
// the key of the run. A test that opens an engine or a store itself calls OpenEngine or asks for the key.

#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include "dolmen/open_options.h"
#include "dolmen/result.h"
#include "engine/engine.h"

namespace dolmen::test {

// Returns the key with which to open the database or backup in `directory` if the test passes
// `key`. In an encrypted run this is the key of the run, unless the test passes a key or the
// directory has another key or none. Otherwise it is `key`.
std::optional<EncryptionKey> KeyInThisRun(const std::filesystem::path& directory,
                                          const std::optional<EncryptionKey>& key = std::nullopt);

// Opens the engine as Database::Open does in this run.
Result<std::shared_ptr<engine::Engine>> OpenEngine(const std::filesystem::path& directory,
                                                   const OpenOptions& options = {},
                                                   bool checks_row_cache = false);

}  // namespace dolmen::test
