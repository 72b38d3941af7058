// The list of a database's write-ahead logs and of its manifest. By the list, Dolmen notices that one of
// them is missing, has lost its end, or belongs to another state of the directory. The list is a file in
// the directory of the logs.

#pragma once

#include <rocksdb/file_system.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/result.h"

namespace dolmen::engine {

// The name of the file that holds the list.
inline constexpr const char* kLogListFile = "DOLMEN.logs";

// The first bytes of a file, by which the file is told from another file with the same name.
struct FileStart {
  std::uint64_t bytes = 0;
  std::uint64_t hash = 0;  // XXH3

  bool operator==(const FileStart&) const = default;
};

// A write-ahead log that exists on the disk, and the writes that it is known to hold. RocksDB numbers
// all writes. A write of three rows has three numbers.
struct ListedLog {
  std::uint64_t log = 0;    // the number in the log's file name
  std::uint64_t start = 0;  // the number of the last write before the log
  // The number of the last write that is known to be in the log; `start` if no write is known to be
  // in it. The log may hold later writes.
  std::uint64_t end = 0;

  FileStart begins = {};  // of no bytes while the log may get further writes

  bool operator==(const ListedLog&) const = default;
};

// A manifest that the file CURRENT may name.
struct ListedManifest {
  std::uint64_t manifest = 0;  // the number in the manifest's file name
  std::uint64_t bytes = 0;     // the manifest has at least this number of bytes
  FileStart begins = {};

  bool operator==(const ListedManifest&) const = default;
};

struct LogList {
  // Two manifests while the file CURRENT is replaced; none in the list of a copy that was never opened.
  std::vector<ListedManifest> manifests = {};
  std::vector<ListedLog> logs = {};  // from the oldest to the newest

  bool empty() const { return manifests.empty() && logs.empty(); }
  bool operator==(const LogList&) const = default;
};

// The logs in which a power cut has left zeros, the manifest included: the offset of the
// first unreadable record by the name of the file. All bytes from there on are to be ignored.
using TornLogs = std::map<std::string, std::uint64_t>;

// Returns the name of the file of a log, for example 000012.log.
std::string LogFileName(std::uint64_t log);

// Returns the number in the name of a log file. Returns nothing if the path is not that of a log.
std::optional<std::uint64_t> LogNumberOf(std::string_view path);

// Returns the name of the file of a manifest, for example MANIFEST-000018.
std::string ManifestFileName(std::uint64_t manifest);

// Returns the number in the name of a manifest, for example 18 for MANIFEST-000018.
std::optional<std::uint64_t> ManifestNumberOf(std::string_view path);

// Reads the first `bytes` bytes of a file, or all of a shorter file.
// - An error of the file system.
rocksdb::IOStatus ReadStart(rocksdb::FileSystem* files, const std::string& path,
                            std::uint64_t bytes, FileStart* start);

// Formats the list as the text of its file.
std::string FormatLogList(const LogList& list);

// Returns true if `text`, which FormatLogList() has made, lists anything.
bool ListsAnything(std::string_view text);

// Reads the list of the database in `directory` of `files`. Returns an empty list if the file is absent.
// - kCorruption: the file is damaged.
// - kStorage: the file cannot be read.
Result<LogList> ReadLogList(rocksdb::FileSystem* files, const std::string& directory);

}  // namespace dolmen::engine
