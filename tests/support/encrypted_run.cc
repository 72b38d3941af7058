#include "tests/support/encrypted_run.h"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

#include "database/openers.h"
#include "engine/storage/files/directory.h"
#include "engine/storage/files/marker.h"

namespace dolmen::test {

namespace {

// Returns the size of the row cache that the run asks for, for databases on the disk. Its reads are checked.
std::optional<std::size_t> RowCacheBytesInThisRun() {
  const char* const bytes = std::getenv("DOLMEN_ROW_CACHE_BYTES");
  return bytes != nullptr ? std::optional(std::stoul(bytes)) : std::nullopt;
}

OpenOptions OptionsInThisRun(const std::filesystem::path& directory, const OpenOptions& options) {
  OpenOptions in_this_run = options;
  in_this_run.encryption_key = KeyInThisRun(directory, options.encryption_key);
  if (const auto bytes = RowCacheBytesInThisRun()) in_this_run.row_cache_bytes = *bytes;
  return in_this_run;
}

// Puts functions that ask for the key of the run in the place of those of the library.
[[maybe_unused]] const bool injected = [] {
  static const internal::Openers former = internal::openers;
  internal::openers.open = [](const std::string& directory, const OpenOptions& options) {
    return internal::ToDatabase(OpenEngine(directory, options), options);
  };
  internal::openers.in_memory_from = [](const std::string& directory, const OpenOptions& options) {
    return former.in_memory_from(directory, OptionsInThisRun(directory, options));
  };
  internal::openers.restore = [](const std::string& backup, const std::string& directory,
                                 const RestoreOptions& options) {
    RestoreOptions in_this_run = options;
    in_this_run.encryption_key = KeyInThisRun(backup, options.encryption_key);
    return former.restore(backup, directory, in_this_run);
  };
  internal::openers.repair = [](const std::string& from, const std::string& to,
                                const RepairOptions& options) {
    RepairOptions in_this_run = options;
    in_this_run.encryption_key = KeyInThisRun(from, options.encryption_key);
    return former.repair(from, to, in_this_run);
  };
  return true;
}();

}  // namespace

Result<std::shared_ptr<engine::Engine>> OpenEngine(const std::filesystem::path& directory,
                                                   const OpenOptions& options,
                                                   bool checks_row_cache) {
  return engine::Engine::Open(directory, OptionsInThisRun(directory, options),
                              checks_row_cache || RowCacheBytesInThisRun().has_value());
}

std::optional<EncryptionKey> KeyInThisRun(const std::filesystem::path& directory,
                                          const std::optional<EncryptionKey>& key) {
  constexpr EncryptionKey kKeyOfRun = {std::byte{0x64}, std::byte{0x6f}, std::byte{0x6c}};
  static const bool encrypted = std::getenv("DOLMEN_ENCRYPTED") != nullptr;
  if (!encrypted || key) return key;
  for (const char* const name : {engine::kMarkerFile, engine::kBackupMarkerFile}) {
    std::ifstream marker(directory / name, std::ios::binary);
    if (!marker) continue;
    const std::string text{std::istreambuf_iterator<char>(marker),
                           std::istreambuf_iterator<char>()};
    const Status checked = engine::CheckMarker(text, "", kKeyOfRun);
    if (checked.code() == StatusCode::kValidation) return key;
  }
  return kKeyOfRun;
}

}  // namespace dolmen::test
