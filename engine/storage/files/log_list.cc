#include "engine/storage/files/log_list.h"

#include <xxhash.h>

#include <charconv>
#include <fstream>
#include <iterator>
#include <sstream>
#include <system_error>

namespace dolmen::engine {
namespace {

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
  return parsed.ec == std::errc() ? std::optional(log) : std::nullopt;
}

std::string FormatLogList(const std::vector<ListedLog>& logs) {
  std::string text;
  for (const ListedLog& log : logs) {
    text += "log " + std::to_string(log.log) + " holds the writes after " +
            std::to_string(log.start) + " to " + std::to_string(log.end) + "\n";
  }
  return text + HashLine(text);
}

Result<std::vector<ListedLog>> ReadLogList(const std::filesystem::path& directory) {
  const std::filesystem::path path = directory / kLogListFile;
  std::error_code error;
  if (!std::filesystem::exists(path, error) && !error) return std::vector<ListedLog>();
  std::ifstream file(path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (error || !file.is_open() || file.bad()) return Status::Storage("can't read " + path.string());
  std::vector<ListedLog> logs;
  std::istringstream words(text);
  std::string word;
  ListedLog log;
  while (words >> word && word == "log" &&
         words >> log.log >> word >> word >> word >> word >> log.start >> word >> log.end) {
    logs.push_back(log);
  }
  // The hash of a damaged file differs, and so does the text of a file in any other form.
  return FormatLogList(logs) == text ? Result(std::move(logs)) : Damaged(path);
}

}  // namespace dolmen::engine
