#include "engine/storage/logs/manifest.h"

#include <string>
#include <string_view>

#include "engine/base/status_macros.h"
#include "engine/storage/files/little_endian.h"
#include "engine/storage/logs/log_reader.h"
#include "engine/storage/options.h"
#include "engine/storage/rocks_status.h"

namespace dolmen::engine {
namespace {

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

Result<std::optional<std::uint64_t>> OldestNeededLog(rocksdb::FileSystem* files,
                                                     const std::string& directory, TornLogs* torn) {
  std::optional<std::uint64_t> number;
  std::string name;
  const rocksdb::IOStatus read = rocksdb::ReadFileToString(files, directory + "/CURRENT", &name);
  if (read.IsPathNotFound()) return number;
  if (!read.ok()) return FromRocks(read, "reading " + directory + "/CURRENT");
  name = name.substr(0, name.find('\n'));
  const std::string path = directory + "/" + name;
  bool is_directory = false;
  if (!files->IsDirectory(path, {}, &is_directory, nullptr).ok() || is_directory) return number;
  const auto on_record = [&](std::string_view record) {
    if (const std::optional<std::uint64_t> set = LogNumberIn(record)) number = set;
  };
  // RocksDB syncs the records together that its background jobs write at the same time. A database
  // has kBackgroundJobs of them, so at most two records form a group. If two readable records
  // follow a lost page, the second one was written after the group of the page was synced.
  static_assert(kBackgroundJobs == 2);
  const auto is_synced = [](std::string_view) { return true; };
  const auto is_possible = [](const FoundRecord&) { return true; };
  DOLMEN_ASSIGN_OR_RETURN(const std::optional<std::uint64_t> torn_at,
                          ReadLog(files, path, on_record, is_synced, is_possible));
  if (torn_at) torn->emplace(name, *torn_at);
  return number;
}

}  // namespace dolmen::engine
