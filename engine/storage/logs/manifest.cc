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
// the name of the comparator and fields that a reader may ignore precede these numbers.
// https://github.com/facebook/rocksdb/wiki/MANIFEST
constexpr std::uint64_t kComparator = 1;
constexpr std::uint64_t kLogNumber = 2;
constexpr std::uint64_t kNextFileNumber = 3;
constexpr std::uint64_t kLastSequence = 4;
constexpr std::uint64_t kPreviousLogNumber = 9;
constexpr std::uint64_t kMayBeIgnored = 1 << 13;  // a bit of a tag; a length and bytes follow it

// The numbers that a record of the manifest sets.
struct RecordNumbers {
  std::optional<std::uint64_t> log;
  std::optional<std::uint64_t> last_write;
};

RecordNumbers NumbersIn(std::string_view record) {
  RecordNumbers numbers;
  while (const std::optional<std::uint64_t> tag = TakeVarint(&record)) {
    if (*tag == kComparator || (*tag & kMayBeIgnored) != 0) {
      const std::optional<std::uint64_t> length = TakeVarint(&record);
      if (!length || *length > record.size()) break;
      record.remove_prefix(*length);
    } else if (*tag == kLogNumber) {
      numbers.log = TakeVarint(&record);
    } else if (*tag == kLastSequence) {
      numbers.last_write = TakeVarint(&record);
    } else if (*tag == kNextFileNumber || *tag == kPreviousLogNumber) {
      TakeVarint(&record);
    } else {
      break;
    }
  }
  return numbers;
}

}  // namespace

Result<std::optional<Manifest>> ReadManifest(rocksdb::FileSystem* files,
                                             const std::string& directory, bool is_encrypted,
                                             TornLogs* torn) {
  std::optional<Manifest> none;
  std::string name;
  const rocksdb::IOStatus read = rocksdb::ReadFileToString(files, directory + "/CURRENT", &name);
  if (read.IsPathNotFound()) return none;
  if (!read.ok()) return FromRocks(read, "reading " + directory + "/CURRENT");
  name = name.substr(0, name.find('\n'));
  const std::optional<std::uint64_t> number = ManifestNumberOf(name);
  const std::string path = directory + "/" + name;
  bool is_directory = false;
  if (!number || !files->IsDirectory(path, {}, &is_directory, nullptr).ok() || is_directory) {
    return none;
  }
  Manifest manifest{.number = *number};
  bool has_log = false;
  const auto on_record = [&](std::string_view record) {
    const RecordNumbers numbers = NumbersIn(record);
    has_log = has_log || numbers.log.has_value();
    manifest.oldest_log = numbers.log.value_or(manifest.oldest_log);
    manifest.last_write = numbers.last_write.value_or(manifest.last_write);
  };
  // RocksDB syncs the records together that its background jobs write at the same time. A database
  // has kBackgroundJobs of them, so at most two records form a group. If two readable records
  // follow a lost page, the second one was written after the group of the page was synced.
  static_assert(kBackgroundJobs == 2);
  const auto is_synced = [](std::string_view) { return true; };
  const auto is_possible = [](const FoundRecord&) { return true; };
  DOLMEN_ASSIGN_OR_RETURN(const std::optional<std::uint64_t> torn_at,
                          ReadLog(files, path, on_record, is_synced, is_possible, is_encrypted));
  if (torn_at) torn->emplace(name, *torn_at);
  return has_log ? std::optional(manifest) : none;
}

}  // namespace dolmen::engine
