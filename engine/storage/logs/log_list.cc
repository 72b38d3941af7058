#include "engine/storage/logs/log_list.h"

#include <xxhash.h>

#include <memory>
#include <string_view>
#include <utility>

#include "engine/storage/files/hash_line.h"
#include "engine/storage/files/take_number.h"
#include "engine/storage/rocks_status.h"

namespace dolmen::engine {
namespace {

constexpr std::size_t kListBytesMax = 4096;  // more than the longest list has
// The words of a line. Two numbers follow the words of a file's start: of a manifest and of a log.
constexpr std::string_view kBeforeManifest = "manifest ";
constexpr std::string_view kBeforeBytes = " has a length of at least ";
constexpr std::string_view kBeforeLog = "log ";
constexpr std::string_view kBeforeFirst = " begins after write ";
constexpr std::string_view kBeforeEnd = " and holds all writes up to ";
constexpr std::string_view kBeforeStart = ", and the first ";
constexpr std::string_view kBeforeStartHash = " bytes have the hash ";

Status Damaged(const std::string& path) {
  return Status::Corruption(path + " is damaged: restore the database from a backup");
}

// Formats a number as in RocksDB's names of files.
std::string SixDigits(std::uint64_t number) {
  const std::string digits = std::to_string(number);
  return std::string(digits.size() < 6 ? 6 - digits.size() : 0, '0') + digits;
}

}  // namespace

std::string LogFileName(std::uint64_t log) { return SixDigits(log) + ".log"; }

std::string ManifestFileName(std::uint64_t manifest) { return "MANIFEST-" + SixDigits(manifest); }

std::optional<std::uint64_t> LogNumberOf(std::string_view path) {
  std::string_view name = path.substr(path.rfind('/') + 1);
  const auto log = TakeNumber<std::uint64_t>("", &name);
  return name == ".log" ? log : std::nullopt;
}

std::optional<std::uint64_t> ManifestNumberOf(std::string_view path) {
  std::string_view name = path.substr(path.rfind('/') + 1);
  const auto manifest = TakeNumber<std::uint64_t>("MANIFEST-", &name);
  return name.empty() ? manifest : std::nullopt;
}

rocksdb::IOStatus ReadStart(rocksdb::FileSystem* files, const std::string& path,
                            std::uint64_t bytes, FileStart* start) {
  std::unique_ptr<rocksdb::FSSequentialFile> file;
  rocksdb::IOStatus status = files->NewSequentialFile(path, {}, &file, nullptr);
  std::string text;
  while (status.ok() && text.size() < bytes) {
    std::string buffer(bytes - text.size(), '\0');
    rocksdb::Slice part;
    status = file->Read(buffer.size(), {}, &part, buffer.data(), nullptr);
    if (part.empty()) break;
    text.append(part.data(), part.size());
  }
  *start = {.bytes = text.size(), .hash = XXH3_64bits(text.data(), text.size())};
  return status;
}

std::string FormatLogList(const LogList& list) {
  std::string text;
  const auto add = [&](std::string_view words, std::uint64_t number) {
    text.append(words).append(std::to_string(number));
  };
  const auto end_line = [&](const FileStart& start) {
    if (start.bytes > 0) add(kBeforeStart, start.bytes), add(kBeforeStartHash, start.hash);
    text += '\n';
  };
  for (const ListedManifest& manifest : list.manifests) {
    add(kBeforeManifest, manifest.manifest);
    add(kBeforeBytes, manifest.bytes);
    end_line(manifest.begins);
  }
  for (const ListedLog& log : list.logs) {
    add(kBeforeLog, log.log);
    add(kBeforeFirst, log.start);
    add(kBeforeEnd, log.end);
    end_line(log.begins);
  }
  return text + HashLine(text);
}

bool ListsAnything(std::string_view text) { return text != FormatLogList({}); }

Result<LogList> ReadLogList(rocksdb::FileSystem* files, const std::string& directory) {
  const std::string path = directory + "/" + kLogListFile;
  std::uint64_t size = 0;
  rocksdb::IOStatus read = files->GetFileSize(path, {}, &size, nullptr);
  if (read.IsPathNotFound()) return LogList();
  if (read.ok() && size > kListBytesMax) return Damaged(path);
  std::string text;
  if (read.ok()) read = rocksdb::ReadFileToString(files, path, &text);
  if (!read.ok()) return FromRocks(read, "reading " + path);
  LogList list;
  // Skips what is not in the form of a line. If the file is damaged, the text of the list then differs from
  // the text of the file.
  for (std::string_view rest = text; !rest.empty(); rest.remove_prefix(1)) {
    const auto take = [&](std::string_view words) {
      return TakeNumber<std::uint64_t>(words, &rest).value_or(0);
    };
    if (rest.starts_with(kBeforeManifest)) {
      list.manifests.push_back({.manifest = take(kBeforeManifest),
                                .bytes = take(kBeforeBytes),
                                .begins = {take(kBeforeStart), take(kBeforeStartHash)}});
    } else if (rest.starts_with(kBeforeLog)) {
      list.logs.push_back({.log = take(kBeforeLog),
                           .start = take(kBeforeFirst),
                           .end = take(kBeforeEnd),
                           .begins = {take(kBeforeStart), take(kBeforeStartHash)}});
    }
    if (rest.empty()) break;
  }
  return FormatLogList(list) == text ? Result(std::move(list)) : Damaged(path);
}

}  // namespace dolmen::engine
