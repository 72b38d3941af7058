#include "server/commands/import_inputs.h"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <string_view>
#include <utility>

namespace dolmen::server {
namespace {

namespace fs = std::filesystem;

bool IsItemFile(const std::string& name) {
  const bool json = name.ends_with(".json") || name.ends_with(".json.gz");
  return json && !name.starts_with('.') && !name.starts_with("manifest-");
}

Result<std::vector<std::string>> FilesBelow(const std::string& directory) {
  std::vector<std::string> files;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(directory, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (entry->is_directory(error)) {
      if (name.starts_with('.')) entry.disable_recursion_pending();
    } else if (IsItemFile(name)) {
      files.push_back(entry->path().string());
    }
  }
  if (error) return Status::Storage("can't read " + directory + ": " + error.message());
  if (files.empty()) {
    return Status::Validation("there is no file *.json or *.json.gz below " + directory);
  }
  std::ranges::sort(files);
  return files;
}

// SHA-256 over texts, each told from the next.
class Digest {
 public:
  Digest() { EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr); }

  void Add(std::string_view text) {
    const std::string head = std::to_string(text.size()) + ":";
    EVP_DigestUpdate(context_.get(), head.data(), head.size());
    EVP_DigestUpdate(context_.get(), text.data(), text.size());
  }

  std::string Hex() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> bytes{};
    unsigned size = 0;
    EVP_DigestFinal_ex(context_.get(), bytes.data(), &size);
    std::string text;
    for (unsigned i = 0; i < size; ++i) {
      text.push_back("0123456789abcdef"[bytes[i] >> 4U]);
      text.push_back("0123456789abcdef"[bytes[i] & 15U]);
    }
    return text;
  }

 private:
  struct Free {
    void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
  };
  std::unique_ptr<EVP_MD_CTX, Free> context_{EVP_MD_CTX_new()};
};

}  // namespace

Result<std::vector<std::string>> FindInputs(const std::vector<std::string>& given) {
  if (given.empty()) return std::vector{std::string(kStandardInput)};
  std::vector<std::string> paths;
  for (const std::string& path : given) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (path == kStandardInput) {
      if (std::ranges::count(given, path) > 1) {
        return Status::Validation("standard input can be read once only");
      }
      paths.push_back(path);
    } else if (!fs::exists(status)) {
      return Status::Validation("there is no file or directory " + path);
    } else if (fs::is_directory(status)) {
      Result<std::vector<std::string>> files = FilesBelow(path);
      if (!files.ok()) return files.status();
      paths.insert(paths.end(), files->begin(), files->end());
    } else {
      paths.push_back(path);
    }
  }
  return paths;
}

Result<std::string> ImportInputs::Identity() {
  Digest digest;
  for (std::size_t i = 0; i < paths_.size(); ++i) {
    Result<LineReader> reader = LineReader::Open(paths_[i]);
    if (!reader.ok()) return reader.status();
    const Result<std::string_view> beginning = reader->Peek();
    if (!beginning.ok()) return beginning.status();
    bytes_.push_back(reader->file_bytes());
    const bool file = bytes_.back() && paths_[i] != kStandardInput;
    digest.Add(file ? fs::path(paths_[i]).filename().string() : "");
    digest.Add(bytes_.back() ? std::to_string(*bytes_.back()) : "");
    digest.Add(*beginning);
    if (!file) opened_.emplace(i, *std::move(reader));
  }
  return digest.Hex();
}

Result<LineReader> ImportInputs::Open(std::size_t i) {
  const auto opened = opened_.find(i);
  if (opened == opened_.end()) return LineReader::Open(paths_[i]);
  LineReader reader = std::move(opened->second);
  opened_.erase(opened);
  return reader;
}

std::optional<std::uint64_t> ImportInputs::BytesBefore(std::size_t i) const {
  std::uint64_t sum = 0;
  for (std::size_t before = 0; before < i; ++before) {
    if (!bytes_[before]) return std::nullopt;
    sum += *bytes_[before];
  }
  return sum;
}

}  // namespace dolmen::server
