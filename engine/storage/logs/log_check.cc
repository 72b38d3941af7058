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

Status IsOfAnotherState(const std::string& file) {
  return Status::Corruption(
      file + " is of another state of the database than " + kLogListFile +
      ", as after a copy over a directory that was not empty, so "
      "acknowledged writes may be lost: copy to an empty directory, or restore "
      "the database from a backup");
}

// Checks that the file begins as the list says.
Status CheckStart(rocksdb::FileSystem* files, const std::string& path, const FileStart& listed) {
  if (listed.bytes == 0) return {};
  FileStart start;
  const rocksdb::IOStatus read = ReadStart(files, path, listed.bytes, &start);
  if (!read.ok()) return FromRocks(read, "reading " + path);
  return start == listed ? Status() : IsOfAnotherState(path);
}

// Checks the manifest that CURRENT names. Leaves only this manifest in `list`.
Status CheckManifest(rocksdb::FileSystem* files, const std::string& directory,
                     const Manifest& manifest, LogList* list) {
  if (list->manifests.empty()) return {};
  const bool is_replaced = list->manifests.size() > 1;
  std::erase_if(list->manifests,
                [&](const ListedManifest& listed) { return listed.manifest != manifest.number; });
  if (list->manifests.empty()) return IsOfAnotherState(directory + "/CURRENT");
  const ListedManifest& listed = list->manifests.front();
  const std::string path = directory + "/" + ManifestFileName(manifest.number);
  DOLMEN_RETURN_IF_ERROR(CheckStart(files, path, listed.begins));
  std::uint64_t bytes = 0;
  const rocksdb::IOStatus read = files->GetFileSize(path, {}, &bytes, nullptr);
  if (!read.ok()) return FromRocks(read, "reading " + path);
  if (bytes < listed.bytes) return Lost(path, "has lost its end");
  // Dolmen lists a log before RocksDB can name it in the manifest. Only the manifest that RocksDB makes
  // when it opens a database precedes the list.
  if (!is_replaced && !list->logs.empty() && manifest.oldest_log > list->logs.back().log) {
    return IsOfAnotherState(path);
  }
  return {};
}

// Reads the log with this path. Checks each record, and that it continues the record before it. If
// a power cut has torn the log, adds it to `*torn`. `start` is the number of the last write before
// the log, if it is known.
Result<LogContent> ReadContent(rocksdb::FileSystem* files, const std::string& path,
                               std::optional<std::uint64_t> start, bool is_encrypted,
                               TornLogs* torn) {
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
                          ReadLog(files, path, read, WasSynced, is_possible, is_encrypted));
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

Result<CheckedLogs> CheckLogs(rocksdb::FileSystem* files, const std::string& directory,
                              bool is_encrypted) {
  CheckedLogs checked;
  DOLMEN_ASSIGN_OR_RETURN(const std::optional<Manifest> manifest,
                          ReadManifest(files, directory, is_encrypted, &checked.torn));
  DOLMEN_ASSIGN_OR_RETURN(checked.list, ReadLogList(files, directory));
  if (!manifest) return checked;
  DOLMEN_RETURN_IF_ERROR(CheckManifest(files, directory, *manifest, &checked.list));
  const LogList& list = checked.list;
  DOLMEN_ASSIGN_OR_RETURN(const auto paths, FindLogs(files, directory));
  std::map<std::uint64_t, LogContent> contents;
  const LogContent* last = nullptr;  // the content of the last log that holds writes
  for (auto log = paths.lower_bound(manifest->oldest_log); log != paths.end(); ++log) {
    const auto listing = std::ranges::find(list.logs, log->first, &ListedLog::log);
    const bool is_listed = listing != list.logs.end();
    std::optional<std::uint64_t> start;
    if (last != nullptr) start = last->end;
    if (is_listed) start = listing->start;
    DOLMEN_ASSIGN_OR_RETURN(LogContent content,
                            ReadContent(files, log->second, start, is_encrypted, &checked.torn));
    if (is_listed) DOLMEN_RETURN_IF_ERROR(CheckStart(files, log->second, listing->begins));
    const bool has_writes = content.end > content.start;
    if (has_writes && !is_listed && !list.manifests.empty()) return IsOfAnotherState(log->second);
    const bool has_gap =
        last != nullptr ? content.start != last->end : content.start > manifest->last_write;
    if (!content.empty && has_gap) return Lost(log->second, "begins after a gap");
    const LogContent& kept = contents.emplace(log->first, content).first->second;
    if (!kept.empty) last = &kept;
  }
  if (list.empty() && AreLogsListed(directory)) {
    return Lost(directory + "/" + kLogListFile, "is missing");
  }
  for (const ListedLog& log : list.logs) {
    if (log.log < manifest->oldest_log) continue;
    const auto found = contents.find(log.log);
    const std::string path = directory + "/" + LogFileName(log.log);
    if (found == contents.end()) return Lost(path, "is missing");
    if (log.end > log.start && found->second.end < log.end) return Lost(path, "has lost its end");
  }
  return checked;
}

}  // namespace dolmen::engine
