#include "tests/support/encrypted_run.h"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

#include "engine/engine.h"
#include "engine/repair/repair.h"
#include "engine/storage/cache/row_cache.h"
#include "engine/storage/files/directory.h"
#include "engine/storage/files/marker.h"

namespace dolmen::test {

// With the linker's option --wrap, the library calls OpenInThisRun in place of Engine::Open, and
// OpenOfEngine is Engine::Open. The same holds for the other functions.
using Opened = Result<std::shared_ptr<engine::Engine>>;
Opened OpenOfEngine(const std::filesystem::path& directory,
                    const OpenOptions& options) asm("__real_" DOLMEN_ENGINE_OPEN);
Opened OpenInThisRun(const std::filesystem::path& directory,
                     const OpenOptions& options) asm("__wrap_" DOLMEN_ENGINE_OPEN);
Opened InMemoryFromOfEngine(const std::filesystem::path& directory,
                            const OpenOptions& options) asm("__real_" DOLMEN_ENGINE_IN_MEMORY_FROM);
Opened InMemoryFromInThisRun(
    const std::filesystem::path& directory,
    const OpenOptions& options) asm("__wrap_" DOLMEN_ENGINE_IN_MEMORY_FROM);
Result<CopyOutput> RestoreOfEngine(
    const std::string& backup, const std::string& directory,
    const RestoreOptions& options) asm("__real_" DOLMEN_ENGINE_RESTORE);
Result<CopyOutput> RestoreInThisRun(
    const std::string& backup, const std::string& directory,
    const RestoreOptions& options) asm("__wrap_" DOLMEN_ENGINE_RESTORE);
Result<RepairOutput> RepairOfEngine(
    const std::filesystem::path& from, const std::filesystem::path& to,
    const RepairOptions& options) asm("__real_" DOLMEN_ENGINE_REPAIR);
Result<RepairOutput> RepairInThisRun(
    const std::filesystem::path& from, const std::filesystem::path& to,
    const RepairOptions& options) asm("__wrap_" DOLMEN_ENGINE_REPAIR);

namespace {

OpenOptions OptionsInThisRun(const std::filesystem::path& directory, const OpenOptions& options) {
  OpenOptions in_this_run = options;
  in_this_run.encryption_key = KeyInThisRun(directory, options.encryption_key);
  if (const char* const bytes = std::getenv("DOLMEN_ROW_CACHE_BYTES")) {
    in_this_run.row_cache_bytes = std::stoul(bytes);
    engine::RowCache::checks_reads = true;
  }
  return in_this_run;
}

}  // namespace

Opened OpenInThisRun(const std::filesystem::path& directory, const OpenOptions& options) {
  return OpenOfEngine(directory, OptionsInThisRun(directory, options));
}

Opened InMemoryFromInThisRun(const std::filesystem::path& directory, const OpenOptions& options) {
  return InMemoryFromOfEngine(directory, OptionsInThisRun(directory, options));
}

Result<CopyOutput> RestoreInThisRun(const std::string& backup, const std::string& directory,
                                    const RestoreOptions& options) {
  RestoreOptions in_this_run = options;
  in_this_run.encryption_key = KeyInThisRun(backup, options.encryption_key);
  return RestoreOfEngine(backup, directory, in_this_run);
}

Result<RepairOutput> RepairInThisRun(const std::filesystem::path& from,
                                     const std::filesystem::path& to,
                                     const RepairOptions& options) {
  RepairOptions in_this_run = options;
  in_this_run.encryption_key = KeyInThisRun(from, options.encryption_key);
  return RepairOfEngine(from, to, in_this_run);
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
