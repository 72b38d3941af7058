#include "engine/storage/files/manifest.h"

#include <fstream>
#include <string>
#include <string_view>
#include <system_error>

#include "dolmen/internal/status_macros.h"
#include "engine/storage/files/little_endian.h"
#include "engine/storage/files/log_reader.h"

namespace dolmen::engine {
namespace {

namespace fs = std::filesystem;

// The tags of a manifest's records. RocksDB writes the tags of a record in a fixed order, and only
// the name of the comparator and fields that a reader may ignore precede the log number.
// https://github.com/facebook/rocksdb/wiki/MANIFEST
constexpr std::uint64_t kComparator = 1;
constexpr std::uint64_t kLogNumber = 2;
constexpr std::uint64_t kMayBeIgnored = 1 << 13;  // a bit of a tag; a length and bytes follow it

// Returns the log number that a record of the manifest sets. Returns nothing if it sets none.
std::optional<std::uint64_t> LogNumberIn(std::string_view record) {
  while (const std::optional<std::uint64_t> tag = TakeVarint(&record)) {
    if (*tag == kLogNumber) return TakeVarint(&record);
    if (*tag != kComparator && (*tag & kMayBeIgnored) == 0) break;
    const std::optional<std::uint64_t> length = TakeVarint(&record);
    if (!length || *length > record.size()) break;
    record.remove_prefix(*length);
  }
  return std::nullopt;
}

}  // namespace

Result<std::optional<std::uint64_t>> OldestNeededLog(const fs::path& directory) {
  std::string name;
  std::getline(std::ifstream(directory / "CURRENT"), name);
  std::error_code error;
  std::optional<std::uint64_t> number;
  if (!fs::is_regular_file(directory / name, error)) return number;
  DOLMEN_RETURN_IF_ERROR(ReadLog(directory / name, [&](std::string_view record) {
    if (const std::optional<std::uint64_t> set = LogNumberIn(record)) number = set;
  }));
  return number;
}

}  // namespace dolmen::engine
