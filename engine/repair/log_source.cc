#include "engine/repair/log_source.h"

#include <algorithm>
#include <optional>
#include <system_error>
#include <utility>

#include "engine/base/status_macros.h"
#include "engine/storage/files/directory.h"
#include "engine/storage/logs/batch_reader.h"
#include "engine/storage/logs/log_batch.h"
#include "engine/storage/logs/log_reader.h"

namespace dolmen::engine {
namespace {

// Adds an entry of a batch to the versions or the deleted ranges. A write has the number `number`.
// Returns the number of the next write.
std::uint64_t AddWrite(const BatchEntry& entry, std::uint64_t number,
                       std::vector<Version>* versions, std::vector<DeletedRange>* deleted) {
  switch (entry.type) {
    case BatchEntryType::kPut:
      versions->push_back({std::string(entry.key), number, std::string(entry.value)});
      break;
    case BatchEntryType::kDelete:
      versions->push_back({std::string(entry.key), number, std::nullopt});
      break;
    case BatchEntryType::kDeleteRange:
      deleted->push_back({std::string(entry.key), std::string(entry.value), number});
      break;
    case BatchEntryType::kLogData:
      return number;
  }
  return number + 1;
}

std::string WritesText(std::uint64_t first, std::uint64_t last) {
  return "the writes " + std::to_string(first) + " to " + std::to_string(last) +
         " are missing in the logs";
}

// Returns the number that the list of the logs gives for the first write in the log, if it lists
// it.
std::optional<std::uint64_t> FirstNumberOf(const std::filesystem::path& log,
                                           const Result<LogList>& listed) {
  if (!listed.ok()) return std::nullopt;
  const auto found = std::ranges::find(listed->logs, LogNumberOf(log.string()), &ListedLog::log);
  return found == listed->logs.end() ? std::nullopt : std::optional(found->start + 1);
}

}  // namespace

void LogSource::Read(rocksdb::FileSystem* system, const std::filesystem::path& directory,
                     const DataFiles& files, const FileGapHandler& on_gap) {
  const Result<LogList> listed = ReadLogList(system, directory.string());
  for (const std::filesystem::path& log : files.logs) {
    const std::string name = log.filename().string();
    std::optional<std::uint64_t> next = FirstNumberOf(log, listed);
    const auto on_record = [&](const SalvagedRecord& record) {
      const std::optional<BatchNumbers> numbers = NumbersOf(record.bytes);
      if (!numbers) return;
      const std::uint64_t first = numbers->first;
      std::uint64_t number = first;
      const bool is_whole = ReadBatch(record.bytes, [&](const BatchEntry& entry) {
        number = AddWrite(entry, number, &versions_, &deleted_);
      });
      if (!is_whole) {
        on_gap({.reason = name + ": the record at byte " + std::to_string(record.begin) +
                          " can't be read"});
      }
      next = first + numbers->count;
      if (number > first) records_.push_back({name, record.begin, record.end, first, number - 1});
    };
    const auto on_bytes = [&](std::uint64_t begin, std::uint64_t end) {
      on_gap({.reason = name + ": the bytes from " + std::to_string(begin) + " to " +
                        std::to_string(end) + " can't be read"});
    };
    const auto is_possible = [&](const FoundRecord& found) { return CanFollow(found, next); };
    const Status read = SalvageLog(system, log.string(), on_record, on_bytes, is_possible);
    if (!read.ok()) on_gap({.reason = name + ": " + std::string(read.message())});
  }
  ReportMissingWrites(listed, directory, files.oldest_log, on_gap);
  std::ranges::sort(versions_, Precedes);
}

void LogSource::ReportMissingWrites(const Result<LogList>& listed,
                                    const std::filesystem::path& directory,
                                    std::uint64_t oldest_log, const FileGapHandler& on_gap) {
  const LogRecordPlace* last = nullptr;
  for (const LogRecordPlace& record : records_) {
    if (last != nullptr && record.first_number > last->last_number + 1) {
      on_gap({.reason = WritesText(last->last_number + 1, record.first_number - 1)});
    }
    last = &record;
  }
  if (!listed.ok()) on_gap({.reason = listed.status().message()});
  if (listed.ok() && listed->empty() && AreLogsListed(directory)) {
    on_gap({.reason = "the list of the logs is missing, so the newest log may be missing, too"});
  }
  if (!listed.ok() || listed->empty()) return;
  const auto has_write = [&](std::uint64_t number) {
    return std::ranges::any_of(records_, [&](const LogRecordPlace& record) {
      return record.first_number <= number && number <= record.last_number;
    });
  };
  std::error_code error;
  for (const ListedLog& log : listed->logs) {
    if (log.log < oldest_log) continue;
    if (!std::filesystem::exists(directory / LogFileName(log.log), error)) {
      on_gap({.reason = "the log " + LogFileName(log.log) + " is missing"});
    } else if (log.end > log.start && !(has_write(log.start + 1) && has_write(log.end))) {
      on_gap({.reason = WritesText(log.start + 1, log.end)});
    }
  }
}

}  // namespace dolmen::engine
