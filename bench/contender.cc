#include "bench/contender.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

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
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(directory)) {
    if (entry.is_regular_file()) bytes += entry.file_size();
  }
  return bytes;
}

}  // namespace

std::optional<std::string> Difference(const Answer& expected, const Answer& actual) {
  const std::size_t rows = std::min(expected.size(), actual.size());
  for (std::size_t i = 0; i < rows; ++i) {
    if (expected[i] == actual[i]) continue;
    const bool key = expected[i].key != actual[i].key;
    return std::string("row ")
        .append(std::to_string(i))
        .append(key ? ": key " : ": item ")
        .append(Hex(key ? actual[i].key : actual[i].item))
        .append(" instead of ")
        .append(Hex(key ? expected[i].key : expected[i].item));
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

std::size_t CacheBytes(const ChatData& data) {
  constexpr std::size_t kRowBytesMax = 400;  // with what a block adds to it
  return (std::size_t{64} << 20) + data.messages() * kRowBytesMax;
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
