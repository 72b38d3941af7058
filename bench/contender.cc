#include "bench/contender.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <system_error>

namespace dolmen::bench {
namespace {

namespace fs = std::filesystem;

std::string Hex(std::string_view bytes) {
  std::string hex;
  for (const char c : bytes) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    const auto byte = static_cast<unsigned char>(c);
    hex += kDigits[byte >> 4];
    hex += kDigits[byte & 15];
  }
  return hex;
}

std::uintmax_t BytesBelow(const fs::path& directory) {
  std::uintmax_t bytes = 0;
  std::error_code error;  // an open store may remove a file at any time
  for (const fs::directory_entry& entry : fs::directory_iterator(directory, error)) {
    const std::uintmax_t size = entry.file_size(error);
    if (!error) bytes += size;
  }
  return bytes;
}

}  // namespace

std::optional<std::string> Difference(const Answer& expected, const Answer& actual) {
  const std::size_t rows = std::min(expected.size(), actual.size());
  for (std::size_t i = 0; i < rows; ++i) {
    const std::string row = "row " + std::to_string(i);
    if (expected[i].key != actual[i].key) {
      return row + " has the key " + Hex(actual[i].key) + " instead of " + Hex(expected[i].key);
    }
    const std::string& want = expected[i].item;
    const std::string& have = actual[i].item;
    if (want == have) continue;
    const auto ends = std::mismatch(want.begin(), want.end(), have.begin(), have.end());
    return row + " has an item of " + std::to_string(have.size()) + " bytes instead of " +
           std::to_string(want.size()) + ", which differs from byte " +
           std::to_string(ends.first - want.begin()) + " on";
  }
  if (expected.size() == actual.size()) return std::nullopt;
  return std::to_string(actual.size()) + " rows instead of " + std::to_string(expected.size());
}

std::map<std::string, std::uintmax_t> Stores::BytesOnDisk() const {
  std::map<std::string, std::uintmax_t> bytes;
  for (const auto& [name, store] : stores_) {
    if (store != nullptr) bytes[name] = BytesBelow(directory_ / name);
  }
  return bytes;
}

std::size_t CacheBytes(const DataSet& data) {
  constexpr std::size_t kRowBytesMax = 400;  // with what a block adds to it
  return (std::size_t{64} << 20) + data.size * (1 + data.indexes.size()) * kRowBytesMax;
}

Progress::~Progress() {
  if (isatty(STDERR_FILENO) != 0) std::fputc('\n', stderr);
}

void Progress::Loaded(std::uint64_t rows) {
  const std::uint64_t percent = rows * 100 / rows_;
  const bool terminal = isatty(STDERR_FILENO) != 0;
  if (percent < shown_percent_ + (terminal ? 1 : 25)) return;
  shown_percent_ = percent;
  std::fprintf(stderr, "%sloading %.*s: %llu of %llu rows%s", terminal ? "\r" : "",
               static_cast<int>(store_.size()), store_.data(),
               static_cast<unsigned long long>(rows), static_cast<unsigned long long>(rows_),
               terminal ? "" : "\n");
}

void Progress::Compacting() {
  const bool terminal = isatty(STDERR_FILENO) != 0;
  std::fprintf(stderr, "%s%.*s%s", terminal ? ", compacting " : "compacting ",
               terminal ? 0 : static_cast<int>(store_.size()), store_.data(), terminal ? "" : "\n");
}

std::vector<std::unique_ptr<Contender>>& Contenders() {
  static std::vector<std::unique_ptr<Contender>> contenders;
  return contenders;
}

}  // namespace dolmen::bench
