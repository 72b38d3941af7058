#include "engine/storage/logs/log_check.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/status_macros.h"
#include "engine/storage/files/directory.h"
#include "engine/storage/logs/batch_reader.h"
#include "engine/storage/logs/log_batch.h"
#include "engine/storage/logs/log_list.h"
#include "engine/storage/logs/log_reader.h"
#include "engine/storage/logs/manifest.h"
#include "engine/storage/rocks_status.h"

namespace dolmen::engine {
namespace {

// The numbers of the writes in a log.
struct LogContent {
  std::uint64_t start = 0;  // the number of the last write before the log
  std::uint64_t end = 0;    // the number of the last write in the log; `start` if it holds none
  bool empty = true;
};

Status Lost(const std::string& log, const std::string& what) {
  return Status::Corruption(log + " " + what +
                            ", so acknowledged writes may be lost: restore the database from a "
                            "backup");
}

// Reads the log with this path. Checks each record, and that it continues the record before it. If
// a power cut has torn the log, adds it to `*torn`. `start` is the number of the last write before
// the log, if it is known.
Result<LogContent> ReadContent(rocksdb::FileSystem* files, const std::string& path,
                               std::optional<std::uint64_t> start, TornLogs* torn) {
  LogContent content;
  bool continues = true;
  bool are_batches = true;
  const auto read = [&](std::string_view record) {
    are_batches = are_batches && ReadBatch(record, [](const BatchEntry&) {});
    const std::optional<BatchNumbers> numbers = NumbersOf(record);
    if (!numbers) return;
    const std::uint64_t before = numbers->first - 1;
    if (content.empty) content = {before, before, false};
    continues = continues && before == content.end;
    content.end = before + numbers->count;
  };
  const auto is_possible = [&](const FoundRecord& found) {
    const std::optional<std::uint64_t> last = content.empty ? start : content.end;
    return CanFollow(found, last ? std::optional(*last + 1) : std::nullopt);
  };
  DOLMEN_ASSIGN_OR_RETURN(const std::optional<std::uint64_t> torn_at,
                          ReadLog(files, path, read, WasSynced, is_possible));
  if (torn_at) torn->emplace(path.substr(path.rfind('/') + 1), *torn_at);
  if (!are_batches) return Lost(path, "has a damaged record");
  return continues ? Result(content) : Lost(path, "lacks a record");
}

// Returns the paths of the logs by their numbers.
Result<std::map<std::uint64_t, std::string>> FindLogs(rocksdb::FileSystem* files,
                                                      const std::string& directory) {
  std::vector<std::string> names;
  const rocksdb::IOStatus read = files->GetChildren(directory, {}, &names, nullptr);
  if (!read.ok()) return FromRocks(read, "reading " + directory);
  std::map<std::uint64_t, std::string> logs;
  for (const std::string& name : names) {
    if (const auto log = LogNumberOf(name)) logs.emplace(*log, directory + "/" + name);
  }
  return logs;
}

}  // namespace

Result<TornLogs> CheckLogs(rocksdb::FileSystem* files, const std::string& directory) {
  TornLogs torn;
  DOLMEN_ASSIGN_OR_RETURN(const std::optional<std::uint64_t> oldest,
                          OldestNeededLog(files, directory, &torn));
  if (!oldest) return torn;
  DOLMEN_ASSIGN_OR_RETURN(const auto paths, FindLogs(files, directory));
  DOLMEN_ASSIGN_OR_RETURN(const std::vector<ListedLog> listed, ReadLogList(files, directory));
  std::map<std::uint64_t, LogContent> contents;
  const LogContent* last = nullptr;  // the content of the last log that holds writes
  for (auto log = paths.lower_bound(*oldest); log != paths.end(); ++log) {
    const auto listing = std::ranges::find(listed, log->first, &ListedLog::log);
    std::optional<std::uint64_t> start;
    if (last != nullptr) start = last->end;
    if (listing != listed.end()) start = listing->start;
    DOLMEN_ASSIGN_OR_RETURN(LogContent content, ReadContent(files, log->second, start, &torn));
    if (last != nullptr && !content.empty && content.start != last->end) {
      return Lost(log->second, "begins after a gap");
    }
    const LogContent& kept = contents.emplace(log->first, content).first->second;
    if (!kept.empty) last = &kept;
  }
  if (listed.empty() && AreLogsListed(directory)) {
    return Lost(directory + "/" + kLogListFile, "is missing");
  }
  for (const ListedLog& log : listed) {
    if (log.log < *oldest) continue;
    const auto found = contents.find(log.log);
    const std::string path = directory + "/" + LogFileName(log.log);
    if (found == contents.end()) return Lost(path, "is missing");
    if (log.end > log.start && found->second.end < log.end) return Lost(path, "has lost its end");
  }
  return torn;
}

}  // namespace dolmen::engine
