#include "engine/repair/file_list.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "engine/base/status_macros.h"
#include "engine/storage/files/directory.h"
#include "engine/storage/files/little_endian.h"
#include "engine/storage/logs/log_list.h"
#include "engine/storage/logs/log_reader.h"

namespace dolmen::engine {
namespace {

namespace fs = std::filesystem;

// The tags of a manifest's records that a repair needs.
// https://github.com/facebook/rocksdb/wiki/MANIFEST
enum Tag : std::uint64_t {
  kComparatorTag = 1,
  kLogNumberTag = 2,
  kNextFileNumberTag = 3,
  kLastNumberTag = 4,
  kCompactCursorTag = 5,
  kDeletedFileTag = 6,
  kPreviousLogTag = 9,
  kOldestLogTag = 10,
  kNewFileTag = 103,
  kColumnFamilyTag = 200,
  kMaxColumnFamilyTag = 203,
};
constexpr std::uint64_t kIgnorableTag = 1 << 13;  // a bit of a tag; a length and bytes follow it

// A table file that the manifest lists.
struct ListedTable {
  std::uint64_t size = 0;
  std::string first = {};  // key
  std::string last = {};
};

// The readable records of a manifest.
struct Manifest {
  std::map<std::uint64_t, ListedTable> live = {};
  std::set<std::uint64_t> deleted = {};
  std::uint64_t oldest_log = 0;
  bool is_whole = true;
};

std::optional<std::string_view> TakeText(std::string_view* bytes) {
  const std::optional<std::uint64_t> size = TakeVarint(bytes);
  if (!size || *size > bytes->size()) return std::nullopt;
  const std::string_view text = bytes->substr(0, *size);
  bytes->remove_prefix(*size);
  return text;
}

// Returns the key without the number and the type of its version.
std::string KeyOfVersion(std::string_view version) {
  constexpr std::size_t kNumberAndTypeBytes = 8;
  return std::string(
      version.substr(0, version.size() - std::min(version.size(), kNumberAndTypeBytes)));
}

// Adds a new table file. Returns false if its description is damaged.
bool AddTable(std::string_view* record, Manifest* manifest) {
  const auto level = TakeVarint(record);
  const auto number = TakeVarint(record);
  const auto size = TakeVarint(record);
  const auto smallest = TakeText(record);
  const auto largest = TakeText(record);
  const auto first_write = TakeVarint(record);
  const auto last_write = TakeVarint(record);
  if (!level || !number || !size || !smallest || !largest || !first_write || !last_write) {
    return false;
  }
  constexpr std::uint64_t kEndOfFields = 1;
  for (auto field = TakeVarint(record); field != kEndOfFields; field = TakeVarint(record)) {
    if (!field || !TakeText(record)) return false;
  }
  manifest->live[*number] = {*size, KeyOfVersion(*smallest), KeyOfVersion(*largest)};
  manifest->deleted.erase(*number);
  return true;
}

// Reads the part of a record that follows a tag. Returns false if it is damaged or unknown.
bool ReadTagged(std::uint64_t tag, std::string_view* record, Manifest* manifest) {
  if (tag == kComparatorTag || (tag & kIgnorableTag) != 0) return TakeText(record).has_value();
  if (tag == kNewFileTag) return AddTable(record, manifest);
  const std::optional<std::uint64_t> number = TakeVarint(record);
  if (!number) return false;
  switch (tag) {
    case kLogNumberTag:
      manifest->oldest_log = std::max(manifest->oldest_log, *number);
      return true;
    case kDeletedFileTag:
      if (const auto file = TakeVarint(record)) {
        manifest->live.erase(*file);
        manifest->deleted.insert(*file);
        return true;
      }
      return false;
    case kCompactCursorTag:
      return TakeText(record).has_value();
    default:
      return tag == kNextFileNumberTag || tag == kLastNumberTag || tag == kPreviousLogTag ||
             tag == kOldestLogTag || tag == kColumnFamilyTag || tag == kMaxColumnFamilyTag;
  }
}

// Returns the number in a file name such as 000012.sst or MANIFEST-000012.
std::optional<std::uint64_t> NumberIn(std::string_view name, std::string_view start,
                                      std::string_view end) {
  if (!name.starts_with(start) || !name.ends_with(end)) return std::nullopt;
  name.remove_prefix(start.size());
  name.remove_suffix(std::min(end.size(), name.size()));
  std::uint64_t number = 0;
  const auto parsed = std::from_chars(name.data(), name.data() + name.size(), number);
  if (parsed.ec != std::errc() || parsed.ptr != name.data() + name.size()) return std::nullopt;
  return number;
}

// Returns the path of the manifest: the file that CURRENT names, or else the newest one.
std::optional<fs::path> FindManifest(rocksdb::FileSystem* system, const fs::path& directory,
                                     const std::map<std::uint64_t, fs::path>& manifests) {
  std::string name;
  rocksdb::ReadFileToString(system, (directory / "CURRENT").string(), &name)
      .PermitUncheckedError();  // without CURRENT the newest manifest is read
  name = name.substr(0, name.find('\n'));
  for (const auto& [number, path] : manifests) {
    if (path.filename() == name) return path;
  }
  if (manifests.empty()) return std::nullopt;
  return manifests.rbegin()->second;
}

Manifest ReadManifest(rocksdb::FileSystem* system, const std::optional<fs::path>& path) {
  Manifest manifest{.is_whole = path.has_value()};
  if (!path) return manifest;
  std::size_t records = 0;
  bool is_manifest = true;  // false if a record has the form of another file, such as a log
  const auto on_record = [&](const SalvagedRecord& salvaged) {
    ++records;
    std::string_view record = salvaged.bytes;
    while (!record.empty()) {
      const auto tag = TakeVarint(&record);
      if (tag && ReadTagged(*tag, &record, &manifest)) continue;
      is_manifest = false;
      return;
    }
  };
  const Status read = SalvageLog(
      system, path->string(), on_record,
      [&](std::uint64_t, std::uint64_t) { manifest.is_whole = false; },
      [](const FoundRecord&) { return true; });
  if (!is_manifest) return {.is_whole = false};
  manifest.is_whole = manifest.is_whole && read.ok() && records > 0;
  return manifest;
}

// The files of the directory, by their numbers.
struct NumberedFiles {
  std::map<std::uint64_t, fs::path> tables = {};
  std::map<std::uint64_t, fs::path> logs = {};
  std::map<std::uint64_t, fs::path> manifests = {};
};

Result<NumberedFiles> ListFiles(const fs::path& directory) {
  NumberedFiles files;
  std::error_code error;
  for (fs::directory_iterator entry(directory, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (const auto table = NumberIn(name, "", ".sst")) files.tables[*table] = entry->path();
    if (const auto log = NumberIn(name, "", ".log")) files.logs[*log] = entry->path();
    if (const auto manifest = NumberIn(name, "MANIFEST-", "")) {
      files.manifests[*manifest] = entry->path();
    }
  }
  if (error == std::errc::no_such_file_or_directory || error == std::errc::not_a_directory) {
    return Status::Validation("there is no database in " + directory.string());
  }
  if (error) return Status::Storage("can't read " + directory.string() + ": " + error.message());
  if (files.tables.empty() && files.logs.empty() && !fs::exists(directory / kMarkerFile, error)) {
    return Status::Validation("there is no database in " + directory.string());
  }
  return files;
}

void ReportTables(rocksdb::FileSystem* system, const Manifest& manifest, const NumberedFiles& files,
                  const FileGapHandler& on_gap) {
  if (!manifest.is_whole) {
    on_gap({.reason = "the manifest can't be read: files may be missing, and deleted items may "
                      "exist again"});
    return;
  }
  for (const auto& [number, listed] : manifest.live) {
    const auto found = files.tables.find(number);
    std::uint64_t size = 0;
    const std::string name = std::to_string(number) + ".sst";
    FileGap gap{.first = listed.first, .last = listed.last};
    if (found == files.tables.end()) {
      gap.reason = "the table file " + name + " is missing";
    } else if (!system->GetFileSize(found->second.string(), {}, &size, nullptr).ok() ||
               size != listed.size) {
      gap.reason = "the table file " + name + " has another size than it should have";
    }
    if (!gap.reason.empty()) on_gap(gap);
  }
}

}  // namespace

Result<DataFiles> FindDataFiles(rocksdb::FileSystem* system, const fs::path& directory,
                                const FileGapHandler& on_gap) {
  DOLMEN_ASSIGN_OR_RETURN(const NumberedFiles& files, ListFiles(directory));
  const Manifest manifest = ReadManifest(system, FindManifest(system, directory, files.manifests));
  ReportTables(system, manifest, files, on_gap);
  DataFiles data{.oldest_log = manifest.oldest_log};
  for (const auto& [number, path] : files.tables) {
    if (manifest.deleted.contains(number)) continue;
    TableFileToRead table{.path = path};
    const auto listed = manifest.live.find(number);
    if (listed != manifest.live.end()) {
      table.first = listed->second.first;
      table.last = listed->second.last;
    } else if (manifest.is_whole) {
      // The manifest has lost its end, or a crash has left a file that a compaction has replaced.
      on_gap({.reason = "the manifest does not list the table file " + path.filename().string() +
                        ": deleted items may exist again"});
    }
    data.tables.push_back(std::move(table));
  }
  for (const auto& [number, path] : files.logs) {
    if (number >= manifest.oldest_log) data.logs.push_back(path);
  }
  return data;
}

}  // namespace dolmen::engine
