#include "command/line_reader.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "engine/base/status_macros.h"

namespace dolmen::command {
namespace {

constexpr std::size_t kReadBytes = std::size_t{256} << 10;
constexpr std::size_t kPeekBytes = std::size_t{64} << 10;

Status CantRead(const std::string& name, const char* why) {
  return Status::Storage("can't read " + name + ": " + why);
}

}  // namespace

std::string LineReader::NameOf(const std::string& path) {
  return path == kStandardInput ? "standard input" : path;
}

Result<LineReader> LineReader::Open(const std::string& path) {
  LineReader reader;
  reader.name_ = NameOf(path);
  const int file = path == kStandardInput ? ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
                                          : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return CantRead(reader.name_, std::strerror(errno));
  struct stat status = {};
  if (::fstat(file, &status) == 0 && S_ISDIR(status.st_mode)) {
    ::close(file);
    return CantRead(reader.name_, std::strerror(EISDIR));
  }
  if (S_ISREG(status.st_mode)) reader.file_bytes_ = static_cast<std::uint64_t>(status.st_size);
  reader.file_.reset(::gzdopen(file, "rb"));
  if (reader.file_ == nullptr) {
    ::close(file);
    return CantRead(reader.name_, std::strerror(ENOMEM));
  }
  ::gzbuffer(reader.file_.get(), kReadBytes);
  return reader;
}

Result<LineReader> LineReader::OfText(std::string_view text, std::string name) {
  LineReader reader;
  reader.name_ = std::move(name);
  const int file = ::memfd_create("dolmen", MFD_CLOEXEC);
  for (std::size_t at = 0; file >= 0 && at < text.size();) {
    const ssize_t written = ::write(file, text.data() + at, text.size() - at);
    if (written < 0 && errno != EINTR) break;
    at += static_cast<std::size_t>(std::max<ssize_t>(written, 0));
  }
  if (file < 0 || ::lseek(file, 0, SEEK_CUR) != static_cast<off_t>(text.size())) {
    const int error = errno;
    if (file >= 0) ::close(file);
    return CantRead(reader.name_, std::strerror(error));
  }
  ::lseek(file, 0, SEEK_SET);
  reader.file_bytes_ = text.size();
  reader.file_.reset(::gzdopen(file, "rb"));
  if (reader.file_ == nullptr) {
    ::close(file);
    return CantRead(reader.name_, std::strerror(ENOMEM));
  }
  return reader;
}

Status LineReader::Failure() const {
  int code = Z_OK;
  const char* message = ::gzerror(file_.get(), &code);
  if (code == Z_ERRNO) return CantRead(name_, std::strerror(errno));
  if (code == Z_BUF_ERROR) {
    return Status::Corruption(name_ + " ends in the middle of its compressed data");
  }
  return Status::Corruption("the compressed data of " + name_ + " are damaged: " + message);
}

// Reads more bytes after end_. Sets at_end_ at the end of the file.
Status LineReader::Fill() {
  if (begin_ > 0) {
    buffer_.erase(0, begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  buffer_.resize(end_ + kReadBytes);
  const int count = ::gzread(file_.get(), buffer_.data() + end_, kReadBytes);
  if (count < 0) return Failure();
  if (count == 0) {
    // Checks for an error only at the end of the input, because zlib reports there that compressed
    // data is truncated.
    int code = Z_OK;
    ::gzerror(file_.get(), &code);
    if (code != Z_OK && code != Z_STREAM_END) return Failure();
    at_end_ = true;
  }
  end_ += static_cast<std::size_t>(count);
  return {};
}

Result<std::string_view> LineReader::Peek() {
  while (!at_end_ && end_ < kPeekBytes) {
    DOLMEN_RETURN_IF_ERROR(Fill());
  }
  return std::string_view(buffer_).substr(begin_, std::min(end_ - begin_, kPeekBytes));
}

// Advances by `count` bytes, the last of which ends a line.
void LineReader::Take(std::size_t count) {
  position_.hash = ::XXH3_64bits_withSeed(buffer_.data() + begin_, count, position_.hash);
  position_.bytes += count;
  ++position_.lines;
  begin_ += count;
}

Result<std::optional<std::string_view>> LineReader::Next() {
  std::size_t searched = 0;
  for (;;) {
    const std::string_view ready = std::string_view(buffer_).substr(begin_, end_ - begin_);
    std::size_t length = ready.find('\n', searched);
    if (length == ready.npos && at_end_) length = ready.size();
    if (length > kLineBytesMax && (length != ready.npos || ready.size() > kLineBytesMax)) {
      return Status::Validation("the line is longer than " + std::to_string(kLineBytesMax >> 20U) +
                                " MB");
    }
    if (length != ready.npos) {
      if (at_end_ && ready.empty()) return std::optional<std::string_view>();
      std::string_view line = ready.substr(0, length);
      if (position_.lines == 0 && line.starts_with(kByteOrderMark)) {
        line.remove_prefix(kByteOrderMark.size());
      }
      Take(std::min(length + 1, ready.size()));
      if (line.ends_with('\r')) line.remove_suffix(1);
      return std::optional(line);
    }
    searched = ready.size();
    DOLMEN_RETURN_IF_ERROR(Fill());
  }
}

// Skips a line of any length, and does not keep the whole line in memory. For this, hashes the line
// in pieces, which gives the same hash as one call for the whole line.
Result<bool> LineReader::SkipLine(const std::function<bool()>& stop) {
  const std::unique_ptr<XXH3_state_t, decltype(&::XXH3_freeState)> hash(::XXH3_createState(),
                                                                        ::XXH3_freeState);
  if (hash == nullptr) return CantRead(name_, std::strerror(ENOMEM));
  ::XXH3_64bits_reset_withSeed(hash.get(), position_.hash);
  for (bool ended = false; !ended;) {
    if (stop()) return false;
    const std::string_view ready = std::string_view(buffer_).substr(begin_, end_ - begin_);
    const std::size_t length = ready.find('\n');
    ended = length != ready.npos || at_end_;
    const std::size_t taken = length == ready.npos ? ready.size() : length + 1;
    ::XXH3_64bits_update(hash.get(), ready.data(), taken);
    position_.bytes += taken;
    begin_ += taken;
    if (!ended) {
      DOLMEN_RETURN_IF_ERROR(Fill());
    }
  }
  position_.hash = ::XXH3_64bits_digest(hash.get());
  ++position_.lines;
  return true;
}

std::uint64_t LineReader::file_bytes_read() const {
  const z_off_t offset = ::gzoffset(file_.get());
  return offset < 0 ? position_.bytes : static_cast<std::uint64_t>(offset);
}

}  // namespace dolmen::command
