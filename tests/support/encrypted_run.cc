#include "tests/support/encrypted_run.h"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

#include "engine/engine.h"
#include "engine/storage/cache/row_cache.h"
#include "engine/storage/files/directory.h"
#include "engine/storage/files/marker.h"

namespace dolmen::test {

using Opened = Result<std::shared_ptr<engine::Engine>>;

// With the linker's option --wrap, the library calls OpenInThisRun in place of Engine::Open, and
// OpenOfEngine is Engine::Open.
Opened OpenOfEngine(const std::filesystem::path& directory,
                    const OpenOptions& options) asm("__real_" DOLMEN_ENGINE_OPEN);
Opened OpenInThisRun(const std::filesystem::path& directory,
                     const OpenOptions& options) asm("__wrap_" DOLMEN_ENGINE_OPEN);

Opened OpenInThisRun(const std::filesystem::path& directory, const OpenOptions& options) {
  OpenOptions in_this_run = options;
  in_this_run.encryption_key = KeyInThisRun(directory, options.encryption_key);
  if (const char* const bytes = std::getenv("DOLMEN_ROW_CACHE_BYTES")) {
    in_this_run.row_cache_bytes = std::stoul(bytes);
    engine::RowCache::checks_reads = true;
  }
  return OpenOfEngine(directory, in_this_run);
}

std::optional<EncryptionKey> KeyInThisRun(const std::filesystem::path& directory,
                                          const std::optional<EncryptionKey>& key) {
  constexpr EncryptionKey kKeyOfRun = {std::byte{0x64}, std::byte{0x6f}, std::byte{0x6c}};
  static const bool encrypted = std::getenv("DOLMEN_ENCRYPTED") != nullptr;
  if (!encrypted || key) return key;
  std::ifstream marker(directory / engine::kMarkerFile, std::ios::binary);
  if (!marker) return kKeyOfRun;
  const std::string text{std::istreambuf_iterator<char>(marker), std::istreambuf_iterator<char>()};
  return engine::CheckMarker(text, "", kKeyOfRun).ok() ? std::optional(kKeyOfRun) : key;
}

}  // namespace dolmen::test
