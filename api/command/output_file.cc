#include "command/output_file.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

#include "command/interrupt.h"
#include "engine/base/cannot_answer.h"
#include "engine/base/status_macros.h"

namespace dolmen::command {
namespace {

namespace fs = std::filesystem;

// The level of compression. It is the fastest of the levels that compress JSON about equally well.
constexpr int kGzipLevel = 4;
constexpr int kGzipWindowBits = 15 + 16;  // 16 selects the format gzip
constexpr int kGzipMemory = 8;
constexpr std::size_t kBufferBytes = std::size_t{256} << 10U;

Status CantWrite(const std::string& path, int error) {
  return Status::Storage("can't write " + path + ": " + std::strerror(error));
}

Status Exists(const std::string& path) {
  return Status::Validation("can't write " + path +
                            ": it exists already; choose another name, or give --overwrite");
}

// Creates the file in which an output is written before it is complete. Returns the descriptor.
Result<int> CreatePartial(const std::string& path) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file >= 0) return file;
  if (errno != EEXIST) return CantWrite(path, errno);
  return Status::Validation("can't write " + path +
                            ": another export writes it or has left it; remove it then");
}

}  // namespace

bool IsStream(const std::string& path) {
  if (path == kStandardOutput) return true;
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  return fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

Status SyncDirectory(const std::string& directory) {
  const int file = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return engine::CannotAnswer(errno) ? Status() : CantWrite(directory, errno);
  const int error = ::fsync(file) == 0 ? 0 : errno;
  ::close(file);
  return error == 0 || engine::CannotAnswer(error) ? Status() : CantWrite(directory, error);
}

Result<OutputFile> OutputFile::Create(const std::string& path, const OutputFileOptions& options) {
  OutputFile out;
  if (path == kStandardOutput) {
    out.path_ = "standard output";
    out.file_ = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  } else if (IsStream(path)) {
    out.path_ = path;
    out.file_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    out.path_ = path;
    out.overwrite_ = options.overwrite;
    std::error_code error;  // ignored, because open() reports the same error
    const fs::file_status status = fs::symlink_status(path, error);
    if (fs::is_directory(status)) return CantWrite(path, EISDIR);
    if (fs::exists(status) && !options.overwrite) return Exists(path);
    const std::string partial = path + ".partial";
    DOLMEN_ASSIGN_OR_RETURN(out.file_, CreatePartial(partial));
    out.partial_ = partial;
  }
  if (out.file_ < 0) return CantWrite(out.path_, errno);
  struct stat status = {};
  out.is_stream_ = ::fstat(out.file_, &status) != 0 || !S_ISREG(status.st_mode);
  if (!options.gzip) return out;
  out.deflate_.reset(new z_stream());
  if (::deflateInit2(out.deflate_.get(), kGzipLevel, Z_DEFLATED, kGzipWindowBits, kGzipMemory,
                     Z_DEFAULT_STRATEGY) != Z_OK) {
    return CantWrite(out.path_, ENOMEM);
  }
  return out;
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : file_(std::exchange(other.file_, -1)),
      is_stream_(other.is_stream_),
      deflate_(std::move(other.deflate_)),
      buffer_(std::move(other.buffer_)),
      path_(std::move(other.path_)),
      partial_(std::exchange(other.partial_, {})),
      overwrite_(other.overwrite_),
      bytes_(other.bytes_) {}

OutputFile::~OutputFile() {
  Close();
  if (!partial_.empty()) ::unlink(partial_.c_str());
}

// Closes the file. Returns 0 or the errno of the failure.
int OutputFile::Close() {
  const int file = std::exchange(file_, -1);
  return file < 0 || ::close(file) == 0 ? 0 : errno;
}

Status OutputFile::Write(std::string_view bytes) {
  bytes_ += bytes.size();
  if (deflate_ != nullptr) return Deflate(bytes, Z_NO_FLUSH);
  buffer_.append(bytes);
  return buffer_.size() < kBufferBytes ? Status() : Flush();
}

Status OutputFile::Deflate(std::string_view bytes, int flush) {
  deflate_->next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  deflate_->avail_in = static_cast<uInt>(bytes.size());  // fits: a page has a few MB
  do {
    const std::size_t size = buffer_.size();
    buffer_.resize(size + kBufferBytes);
    deflate_->next_out = reinterpret_cast<Bytef*>(buffer_.data() + size);
    deflate_->avail_out = static_cast<uInt>(kBufferBytes);
    ::deflate(deflate_.get(), flush);  // cannot fail on a valid stream
    buffer_.resize(buffer_.size() - deflate_->avail_out);
    if (buffer_.size() >= kBufferBytes) {
      DOLMEN_RETURN_IF_ERROR(Flush());
    }
  } while (deflate_->avail_out == 0);
  return {};
}

// Writes the buffer. To a stream, writes parts of at most PIPE_BUF bytes, and waits before each
// part until the stream has room for it. So write() does not block, and a signal ends the wait at
// once.
Status OutputFile::Flush() {
  std::string_view rest = buffer_;
  while (!rest.empty()) {
    if (is_stream_ && !InterruptGuard::WaitUntilWritable(file_)) return CantWrite(path_, EINTR);
    const std::size_t size =
        is_stream_ ? std::min<std::size_t>(rest.size(), PIPE_BUF) : rest.size();
    const ssize_t written = ::write(file_, rest.data(), size);
    if (written >= 0) {
      rest.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR && errno != EAGAIN) {
      return CantWrite(path_, errno);
    }
  }
  buffer_.clear();
  return {};
}

// Gives the complete file its final name.
Status OutputFile::Rename() {
  // A link, in contrast to rename(), does not replace a file that another program has created
  // meanwhile. A file system without links gets a rename.
  if (!overwrite_ && ::link(partial_.c_str(), path_.c_str()) == 0) {
    ::unlink(partial_.c_str());
  } else if (!overwrite_ && errno == EEXIST) {
    return Exists(path_);
  } else if (std::rename(partial_.c_str(), path_.c_str()) != 0) {
    return CantWrite(path_, errno);
  }
  partial_.clear();
  return {};
}

Status OutputFile::Commit() {
  DOLMEN_RETURN_IF_ERROR(deflate_ == nullptr ? Status() : Deflate({}, Z_FINISH));
  DOLMEN_RETURN_IF_ERROR(Flush());
  if (partial_.empty()) {
    const int error = Close();
    return error == 0 ? Status() : CantWrite(path_, error);
  }
  if (::fsync(file_) != 0) return CantWrite(path_, errno);
  if (const int error = Close(); error != 0) return CantWrite(path_, error);
  DOLMEN_RETURN_IF_ERROR(Rename());
  const std::string directory = fs::path(path_).parent_path().string();
  return SyncDirectory(directory.empty() ? "." : directory);
}

}  // namespace dolmen::command
