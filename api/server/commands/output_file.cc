#include "server/commands/output_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

namespace dolmen::server {
namespace {

namespace fs = std::filesystem;

// Of the levels that compress JSON of items to about the same, the fastest.
constexpr const char* kGzipMode = "wb4";
constexpr const char* kPlainMode = "wbT";
constexpr unsigned kBufferBytes = 256U << 10U;

Status CantWrite(const std::string& path, int error) {
  return Status::Storage("can't write " + path + ": " + std::strerror(error));
}

// What a symbolic link names, so that this is replaced and not the link.
std::string Target(const std::string& path) {
  std::error_code error;
  const fs::path target = fs::canonical(path, error);
  return error ? path : target.string();
}

// Whether the path is there and nothing that another file can take the place of.
bool IsPipeOrDevice(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  return fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

}  // namespace

Status SyncDirectory(const std::string& directory) {
  const int file = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return CantWrite(directory, errno);
  const int error = ::fsync(file) == 0 ? 0 : errno;
  ::close(file);
  return error == 0 ? Status() : CantWrite(directory, error);
}

Result<OutputFile> OutputFile::Create(const std::string& path, bool gzip) {
  OutputFile out;
  int file = -1;
  if (path == kStandardOutput) {
    out.path_ = "standard output";
    file = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  } else if (IsPipeOrDevice(path)) {
    out.path_ = path;
    file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    out.path_ = Target(path);
    if (fs::is_directory(out.path_)) return CantWrite(path, EISDIR);
    out.partial_ = out.path_ + ".partial";
    file = ::open(out.partial_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  }
  if (file < 0) return CantWrite(out.partial_.empty() ? out.path_ : out.partial_, errno);
  out.file_.reset(::gzdopen(file, gzip ? kGzipMode : kPlainMode));
  if (out.file_ == nullptr) {
    ::close(file);
    return CantWrite(out.path_, ENOMEM);
  }
  ::gzbuffer(out.file_.get(), kBufferBytes);
  return out;
}

OutputFile::~OutputFile() {
  if (file_ == nullptr || partial_.empty()) return;
  file_.reset();
  ::unlink(partial_.c_str());
}

Status OutputFile::Write(std::string_view bytes) {
  if (bytes.empty()) return {};
  const auto size = static_cast<unsigned>(bytes.size());  // a page is of a few MB
  if (::gzwrite(file_.get(), bytes.data(), size) != static_cast<int>(size)) {
    return CantWrite(path_, errno);
  }
  bytes_ += size;
  return {};
}

Status OutputFile::Commit() {
  if (::gzclose(file_.release()) != Z_OK) {
    const int error = errno;
    if (!partial_.empty()) ::unlink(partial_.c_str());
    return CantWrite(path_, error);
  }
  if (partial_.empty()) return {};
  const std::string partial = std::exchange(partial_, {});
  const int file = ::open(partial.c_str(), O_RDONLY | O_CLOEXEC);
  const bool synced = file >= 0 && ::fsync(file) == 0;
  const bool renamed = synced && std::rename(partial.c_str(), path_.c_str()) == 0;
  const int error = renamed ? 0 : errno;
  if (file >= 0) ::close(file);
  if (error != 0) {
    ::unlink(partial.c_str());
    return CantWrite(path_, error);
  }
  return SyncDirectory(fs::absolute(path_).parent_path().string());
}

}  // namespace dolmen::server
