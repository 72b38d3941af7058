#include "command/import_inputs.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <string_view>
#include <utility>

#include "command/import_documents.h"
#include "command/table_json.h"
#include "engine/base/status_macros.h"
#include "http/sha256.h"

namespace dolmen::command {
namespace {

namespace fs = std::filesystem;

bool IsItemFile(const std::string& name) {
  const bool json = name.ends_with(".json") || name.ends_with(".json.gz");
  return json && !name.starts_with('.') && !name.starts_with("manifest-");
}

Status CantRead(const fs::path& path, const std::error_code& error) {
  return Status::Storage("can't read " + path.string() + ": " + error.message());
}

// Returns the entries of the directory, sorted.
Result<std::vector<fs::directory_entry>> EntriesOf(const fs::path& directory) {
  std::error_code error;
  std::vector<fs::directory_entry> entries;
  for (fs::directory_iterator entry(directory, error), end; !error && entry != end;
       entry.increment(error)) {
    entries.push_back(*entry);
  }
  if (error) return CantRead(directory, error);
  std::ranges::sort(entries);
  return entries;
}

Result<std::vector<std::string>> FilesBelow(const std::string& directory) {
  std::vector<std::string> files;
  std::set<fs::path> read;  // guards against loops of symbolic links
  std::vector<fs::path> unread = {directory};
  while (!unread.empty()) {
    const fs::path next = std::move(unread.back());
    unread.pop_back();
    std::error_code error;
    const fs::path canonical = fs::canonical(next, error);
    if (error) return CantRead(next, error);
    if (!read.insert(canonical).second) continue;
    DOLMEN_ASSIGN_OR_RETURN(const auto& entries, EntriesOf(next));
    for (const fs::directory_entry& entry : entries) {
      const std::string name = entry.path().filename().string();
      if (entry.is_directory(error)) {
        if (!name.starts_with('.')) unread.push_back(entry.path());
      } else if (IsItemFile(name)) {
        files.push_back(entry.path().string());
      }
    }
  }
  if (files.empty()) {
    return Status::Validation("there is no file *.json or *.json.gz below " + directory);
  }
  std::ranges::sort(files);
  return files;
}

// Returns the file of a given path or, if the path is a directory, the files below it.
Result<std::vector<std::string>> FilesAt(const std::string& path) {
  if (path == kStandardInput) return std::vector{path};
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::status_known(status)) return CantRead(path, error);
  if (!fs::exists(status)) return Status::Validation("there is no file or directory " + path);
  return fs::is_directory(status) ? FilesBelow(path) : std::vector{path};
}

// Adds the length of the text and the text to the digest. Without the length, "ab" and "c" would
// have the same digest as "a" and "bc".
void AddText(std::string_view text, http::Sha256* digest) {
  digest->Add(std::to_string(text.size()) + ":");
  digest->Add(text);
}

}  // namespace

Result<std::vector<std::string>> FindInputs(const std::vector<std::string>& given) {
  if (given.empty()) return std::vector{std::string(kStandardInput)};
  std::vector<std::string> paths;
  std::set<fs::path> taken;
  for (const std::string& path : given) {
    DOLMEN_ASSIGN_OR_RETURN(const auto& files, FilesAt(path));
    for (const std::string& file : files) {
      std::error_code error;
      const fs::path canonical = fs::canonical(file, error);  // fails for a pipe
      if (error || taken.insert(canonical).second) paths.push_back(file);
    }
  }
  return paths;
}

std::string FindTableManifest(const std::vector<std::string>& given,
                              const std::vector<std::string>& files) {
  std::error_code error;
  if (given.empty() || !fs::is_directory(given.front(), error)) return {};
  const fs::path data = fs::absolute(files.front(), error).lexically_normal().parent_path();
  if (data.filename() != "data") return {};
  const fs::path manifest = data.parent_path() / kTableManifest;
  return fs::is_regular_file(manifest, error) ? manifest.string() : std::string();
}

Result<std::string> ImportInputs::Identity() {
  http::Sha256 digest;
  for (std::size_t i = 0; i < paths_.size(); ++i) {
    DOLMEN_ASSIGN_OR_RETURN(LineReader reader, LineReader::Open(paths_[i]));
    bytes_.push_back(reader.file_bytes());
    const bool file = bytes_.back() && paths_[i] != kStandardInput;
    AddText(file ? fs::path(paths_[i]).filename().string() : "", &digest);
    if (file) continue;
    DOLMEN_ASSIGN_OR_RETURN(const std::string_view beginning, reader.Peek());
    AddText(beginning, &digest);
    opened_.emplace(i, std::move(reader));
  }
  std::string text;
  http::AppendHex(digest.Finish(), &text);
  return text;
}

Result<LineReader> ImportInputs::Open(std::size_t i) {
  const auto opened = opened_.find(i);
  if (opened == opened_.end()) {
    DOLMEN_ASSIGN_OR_RETURN(LineReader reader, LineReader::Open(paths_[i]));
    return LinesOfDocument(std::move(reader), paths_[i]);
  }
  LineReader reader = std::move(opened->second);
  opened_.erase(opened);
  return LinesOfDocument(std::move(reader), paths_[i]);
}

std::optional<std::uint64_t> ImportInputs::BytesBefore(std::size_t i) const {
  std::uint64_t sum = 0;
  for (std::size_t before = 0; before < i; ++before) {
    if (!bytes_[before]) return std::nullopt;
    sum += *bytes_[before];
  }
  return sum;
}

}  // namespace dolmen::command
