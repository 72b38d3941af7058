#include "engine/storage/files/log_list.h"

#include <xxhash.h>

#include <charconv>
#include <fstream>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

namespace dolmen::engine {
namespace {

constexpr std::size_t kListBytesMax = 4096;  // more than the longest list has

// The last line of the file holds the hash of all lines before it.
std::string HashLine(std::string_view text) {
  return "hash " + std::to_string(XXH3_64bits(text.data(), text.size())) + "\n";
}

Status Damaged(const std::filesystem::path& path) {
  return Status::Corruption(path.string() + " is damaged: restore the database from a backup");
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

std::string FormatLogList(const std::vector<ListedLog>& logs) {
  std::string text;
  for (const ListedLog& log : logs) {
    text += "log " + std::to_string(log.log) + " begins after write " + std::to_string(log.start) +
            " and holds all writes up to " + std::to_string(log.end) + "\n";
  }
  return text + HashLine(text);
}

Result<std::vector<ListedLog>> ReadLogList(const std::filesystem::path& directory) {
  const std::filesystem::path path = directory / kLogListFile;
  std::error_code error;
  if (!std::filesystem::exists(path, error) && !error) return std::vector<ListedLog>();
  // Uses read(), which does not throw if the file cannot be read.
  std::string text(kListBytesMax, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (error || !file.is_open() || file.bad()) {
    return Status::Storage("can't read " + path.string());
  }
  if (!file.eof()) return Damaged(path);  // the file is longer than any list
  text.resize(static_cast<std::size_t>(file.gcount()));
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
