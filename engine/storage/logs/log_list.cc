#include "engine/storage/logs/log_list.h"

#include <charconv>
#include <sstream>
#include <string_view>
#include <utility>

#include "engine/storage/files/hash_line.h"
#include "engine/storage/rocks_status.h"

namespace dolmen::engine {
namespace {

constexpr std::size_t kListBytesMax = 4096;  // more than the longest list has

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
    text += "log " + std::to_string(log.log) + " begins after write " + std::to_string(log.start) +
            " and holds all writes up to " + std::to_string(log.end) + "\n";
  }
  return text + HashLine(text);
}

bool NamesALog(std::string_view text) { return text.starts_with("log "); }

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
  std::istringstream words(text);
  const auto skip = [&](int count) {
    std::string word;
    while (count-- > 0) words >> word;
  };
  // Stops at the first line that does not describe a log. If the file is damaged, the text of the
  // list differs from the text of the file.
  for (ListedLog log; skip(1), words >> log.log;) {
    skip(3);
    words >> log.start;
    skip(6);
    if (words >> log.end) logs.push_back(log);
  }
  return FormatLogList(logs) == text ? Result(std::move(logs)) : Damaged(path);
}

}  // namespace dolmen::engine
