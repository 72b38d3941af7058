#include "engine/storage/logs/log_list.h"

#include <charconv>
#include <string_view>
#include <utility>

#include "engine/storage/files/hash_line.h"
#include "engine/storage/files/take_number.h"
#include "engine/storage/rocks_status.h"

namespace dolmen::engine {
namespace {

constexpr std::size_t kListBytesMax = 4096;  // more than the longest list has
// The words of a line.
constexpr std::string_view kBeforeLog = "log ";
constexpr std::string_view kBeforeStart = " begins after write ";
constexpr std::string_view kBeforeEnd = " and holds all writes up to ";

Status Damaged(const std::string& path) {
  return Status::Corruption(path + " is damaged: restore the database from a backup");
}

}  // namespace

std::string LogFileName(std::uint64_t log) {
  const std::string digits = std::to_string(log);
  return std::string(digits.size() < 6 ? 6 - digits.size() : 0, '0') + digits + ".log";
}

std::optional<std::uint64_t> LogNumberOf(std::string_view path) {
  constexpr std::string_view kEnd = ".log";
  std::string_view name = path.substr(path.rfind('/') + 1);
  if (!name.ends_with(kEnd)) return std::nullopt;
  name.remove_suffix(kEnd.size());
  std::uint64_t log = 0;
  const auto parsed = std::from_chars(name.data(), name.data() + name.size(), log);
  const bool is_number = parsed.ec == std::errc() && parsed.ptr == name.data() + name.size();
  return is_number ? std::optional(log) : std::nullopt;
}

std::vector<ListedLog> WithWrites(std::vector<ListedLog> logs) {
  std::erase_if(logs, [](const ListedLog& log) { return log.end == log.start; });
  return logs;
}

std::string FormatLogList(const std::vector<ListedLog>& logs) {
  std::string text;
  for (const ListedLog& log : logs) {
    text.append(kBeforeLog).append(std::to_string(log.log));
    text.append(kBeforeStart).append(std::to_string(log.start));
    text.append(kBeforeEnd).append(std::to_string(log.end)).append("\n");
  }
  return text + HashLine(text);
}

bool NamesALog(std::string_view text) { return text.starts_with(kBeforeLog); }

Result<std::vector<ListedLog>> ReadLogList(rocksdb::FileSystem* files,
                                           const std::string& directory) {
  const std::string path = directory + "/" + kLogListFile;
  std::uint64_t size = 0;
  rocksdb::IOStatus read = files->GetFileSize(path, {}, &size, nullptr);
  if (read.IsPathNotFound()) return std::vector<ListedLog>();
  if (read.ok() && size > kListBytesMax) return Damaged(path);
  std::string text;
  if (read.ok()) read = rocksdb::ReadFileToString(files, path, &text);
  if (!read.ok()) return FromRocks(read, "reading " + path);
  std::vector<ListedLog> logs;
  // Stops at the first line that does not describe a log. If the file is damaged, the text of the
  // list differs from the text of the file.
  for (std::string_view rest = text; !rest.empty(); rest.remove_prefix(1)) {
    const auto log = TakeNumber<std::uint64_t>(kBeforeLog, &rest);
    const auto start = TakeNumber<std::uint64_t>(kBeforeStart, &rest);
    const auto end = TakeNumber<std::uint64_t>(kBeforeEnd, &rest);
    if (!log || !start || !end || !rest.starts_with('\n')) break;
    logs.push_back({.log = *log, .start = *start, .end = *end});
  }
  return FormatLogList(logs) == text ? Result(std::move(logs)) : Damaged(path);
}

}  // namespace dolmen::engine
