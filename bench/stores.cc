#include "bench/stores.h"

#include <unistd.h>

#include <cstdio>
#include <system_error>

namespace dolmen::bench {
namespace {

namespace fs = std::filesystem;

std::uintmax_t BytesBelow(const fs::path& directory) {
  std::uintmax_t bytes = 0;
  std::error_code error;  // an open store can remove a file during the loop
  for (const fs::directory_entry& entry : fs::directory_iterator(directory, error)) {
    const std::uintmax_t size = entry.file_size(error);
    if (!error) bytes += size;
  }
  return bytes;
}

}  // namespace

std::map<std::string, std::uintmax_t> Stores::BytesOnDisk() const {
  std::map<std::string, std::uintmax_t> bytes;
  for (const auto& [name, place] : places_) {
    if (place.filled) bytes[name] = BytesBelow(directory_ / name);
  }
  return bytes;
}

std::size_t CacheBytes(const DataSet& data) {
  return (std::size_t{64} << 20) + data.size * (1 + data.indexes.size()) * data.row_bytes_max;
}

Status Stores::Copy(const std::string& from, const std::string& to) {
  Place& place = places_[to];
  if (place.copied) return {};
  if (places_[from].store != nullptr) {
    return Status::Storage("can't copy " + from +
                           ", which is open: Contender::uses_copy must return true");
  }
  std::error_code error;
  fs::copy(directory_ / from, directory_ / to, fs::copy_options::recursive, error);
  if (error) return Status::Storage("can't copy " + from + ": " + error.message());
  place.copied = true;
  return {};
}

Progress::~Progress() {
  if (isatty(STDERR_FILENO) != 0) std::fputc('\n', stderr);
}

void Progress::Loaded(std::uint64_t items) {
  const std::uint64_t percent = items * 100 / items_;
  const bool terminal = isatty(STDERR_FILENO) != 0;
  if (percent < shown_percent_ + (terminal ? 1 : 25)) return;
  shown_percent_ = percent;
  std::fprintf(stderr, "%sloading %.*s: %llu of %llu items%s", terminal ? "\r" : "",
               static_cast<int>(store_.size()), store_.data(),
               static_cast<unsigned long long>(items), static_cast<unsigned long long>(items_),
               terminal ? "" : "\n");
}

void Progress::Compacting() {
  const bool terminal = isatty(STDERR_FILENO) != 0;
  std::fprintf(stderr, "%s%.*s%s", terminal ? ", compacting " : "compacting ",
               terminal ? 0 : static_cast<int>(store_.size()), store_.data(), terminal ? "" : "\n");
}

}  // namespace dolmen::bench
