// The list of a database's write-ahead logs. By the list, Dolmen notices that a log is missing or has
// lost its end. The list is a file in the directory of the logs.

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

// A write-ahead log that exists on the disk, and the writes that it is known to hold. RocksDB numbers
// all writes. A write of three rows has three numbers.
struct ListedLog {
  std::uint64_t log = 0;    // the number in the log's file name
  std::uint64_t start = 0;  // the number of the last write before the log
  // The number of the last write that is known to be in the log; `start` if no write is known to be
  // in it. The log may hold later writes.
  std::uint64_t end = 0;

  bool operator==(const ListedLog&) const = default;
};

// The logs in which a power cut has left zeros, the manifest included: the offset of the
// first unreadable record by the name of the file. All bytes from there on are to be ignored.
using TornLogs = std::map<std::string, std::uint64_t>;

// Returns the name of the file of a log, for example 000012.log.
std::string LogFileName(std::uint64_t log);

// Returns the number in the name of a log file. Returns nothing if the path is not that of a log.
std::optional<std::uint64_t> LogNumberOf(std::string_view path);

// Returns the logs without those that may be empty, because a copy of a database has no empty logs.
std::vector<ListedLog> WithWrites(std::vector<ListedLog> logs);

// Formats the list as the text of its file.
std::string FormatLogList(const std::vector<ListedLog>& logs);

// Returns true if `text`, which FormatLogList() has made, names at least one log.
bool NamesALog(std::string_view text);

// Reads the list of the database in `directory` of `files`. Returns no logs if the file is absent.
// - kCorruption: the file is damaged.
// - kStorage: the file cannot be read.
Result<std::vector<ListedLog>> ReadLogList(rocksdb::FileSystem* files,
                                           const std::string& directory);

}  // namespace dolmen::engine
