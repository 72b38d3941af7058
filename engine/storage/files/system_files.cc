#include "engine/storage/files/system_files.h"

#include <fcntl.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/cannot_answer.h"
#include "engine/storage/files/process_limits.h"

namespace dolmen::engine {
namespace {

using rocksdb::FileOptions;
using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;
using rocksdb::Slice;

// A file that does not grow beyond the limit of the process.
class LimitedFile : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  LimitedFile(std::unique_ptr<rocksdb::FSWritableFile> file, std::string path, std::uint64_t size)
      : FSWritableFileOwnerWrapper(std::move(file)),
        path_(std::move(path)),
        is_log_(path_.ends_with(".log")),
        size_(size) {}

  IOStatus Append(const Slice& data, const IOOptions& options, IODebugContext* debug) override {
    IOStatus status = Check(size_ + data.size());
    if (status.ok()) status = FSWritableFileOwnerWrapper::Append(data, options, debug);
    if (status.ok()) size_ += data.size();
    return status;
  }
  IOStatus Append(const Slice& data, const IOOptions& options,
                  const rocksdb::DataVerificationInfo& info, IODebugContext* debug) override {
    IOStatus status = Check(size_ + data.size());
    if (status.ok()) status = FSWritableFileOwnerWrapper::Append(data, options, info, debug);
    if (status.ok()) size_ += data.size();
    return status;
  }
  IOStatus PositionedAppend(const Slice& data, std::uint64_t offset, const IOOptions& options,
                            IODebugContext* debug) override {
    IOStatus status = Check(offset + data.size());
    return status.ok() ? FSWritableFileOwnerWrapper::PositionedAppend(data, offset, options, debug)
                       : status;
  }
  IOStatus PositionedAppend(const Slice& data, std::uint64_t offset, const IOOptions& options,
                            const rocksdb::DataVerificationInfo& info,
                            IODebugContext* debug) override {
    IOStatus status = Check(offset + data.size());
    return status.ok()
               ? FSWritableFileOwnerWrapper::PositionedAppend(data, offset, options, info, debug)
               : status;
  }
  IOStatus Truncate(std::uint64_t size, const IOOptions& options, IODebugContext* debug) override {
    IOStatus status = Check(size);
    if (status.ok()) status = FSWritableFileOwnerWrapper::Truncate(size, options, debug);
    if (status.ok()) size_ = size;
    return status;
  }
  // Reserves no space if there is a limit: some file systems send the signal then, too.
  void PrepareWrite(std::size_t offset, std::size_t bytes, const IOOptions& options,
                    IODebugContext* debug) override {
    if (LatestFileBytesMax() != UINT64_MAX) return;
    FSWritableFileOwnerWrapper::PrepareWrite(offset, bytes, options, debug);
  }

 private:
  // The store asks for the limit before each write to a log (FreeSpace).
  IOStatus Check(std::uint64_t size) const {
    if (is_log_ && size <= LatestFileBytesMax()) return IOStatus::OK();
    const Status checked = CheckFileBytes(path_, size);
    if (checked.ok()) return IOStatus::OK();
    IOStatus error = IOStatus::IOError(checked.message());
    error.SetRetryable(true);
    return error;
  }

  const std::string path_;
  const bool is_log_;
  std::uint64_t size_;
};

// Returns true if the system cannot sync the directory.
bool CannotSync(const std::string& directory) {
  const int file = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const bool cannot = file >= 0 && ::fsync(file) != 0 && CannotAnswer(errno);
  if (file >= 0) ::close(file);
  return cannot;
}

class SystemDirectory : public rocksdb::FSDirectoryWrapper {
 public:
  SystemDirectory(std::unique_ptr<rocksdb::FSDirectory> directory, std::string path)
      : FSDirectoryWrapper(std::move(directory)), path_(std::move(path)) {}

  IOStatus Fsync(const IOOptions& options, IODebugContext* debug) override {
    IOStatus synced = FSDirectoryWrapper::Fsync(options, debug);
    return synced.ok() || !CannotSync(path_) ? synced : IOStatus::OK();
  }
  IOStatus FsyncWithDirOptions(const IOOptions& options, IODebugContext* debug,
                               const rocksdb::DirFsyncOptions& reason) override {
    IOStatus synced = FSDirectoryWrapper::FsyncWithDirOptions(options, debug, reason);
    return synced.ok() || !CannotSync(path_) ? synced : IOStatus::OK();
  }

 private:
  const std::string path_;
};

class LimitedSystem : public rocksdb::FileSystemWrapper {
 public:
  using FileSystemWrapper::FileSystemWrapper;

  const char* Name() const override { return "DolmenSystemFiles"; }

  IOStatus NewWritableFile(const std::string& path, const FileOptions& options,
                           std::unique_ptr<rocksdb::FSWritableFile>* file,
                           IODebugContext* debug) override {
    FileBytesMax();  // for the first writes to a log
    IOStatus opened = target()->NewWritableFile(path, options, file, debug);
    if (!opened.ok()) return NameLimit(path, std::move(opened));
    *file = std::make_unique<LimitedFile>(std::move(*file), path, 0);
    return opened;
  }
  IOStatus ReopenWritableFile(const std::string& path, const FileOptions& options,
                              std::unique_ptr<rocksdb::FSWritableFile>* file,
                              IODebugContext* debug) override {
    IOStatus opened = target()->ReopenWritableFile(path, options, file, debug);
    std::uint64_t size = 0;
    if (opened.ok()) opened = target()->GetFileSize(path, {}, &size, debug);
    if (!opened.ok()) return NameLimit(path, std::move(opened));
    *file = std::make_unique<LimitedFile>(std::move(*file), path, size);
    return opened;
  }
  IOStatus NewSequentialFile(const std::string& path, const FileOptions& options,
                             std::unique_ptr<rocksdb::FSSequentialFile>* file,
                             IODebugContext* debug) override {
    return NameLimit(path, target()->NewSequentialFile(path, options, file, debug));
  }
  IOStatus NewRandomAccessFile(const std::string& path, const FileOptions& options,
                               std::unique_ptr<rocksdb::FSRandomAccessFile>* file,
                               IODebugContext* debug) override {
    return NameLimit(path, target()->NewRandomAccessFile(path, options, file, debug));
  }
  IOStatus LockFile(const std::string& path, const IOOptions& options, rocksdb::FileLock** lock,
                    IODebugContext* debug) override {
    return NameLimit(path, target()->LockFile(path, options, lock, debug));
  }
  IOStatus GetChildren(const std::string& path, const IOOptions& options,
                       std::vector<std::string>* names, IODebugContext* debug) override {
    return NameLimit(path, target()->GetChildren(path, options, names, debug));
  }
  IOStatus NewDirectory(const std::string& path, const IOOptions& options,
                        std::unique_ptr<rocksdb::FSDirectory>* directory,
                        IODebugContext* debug) override {
    IOStatus opened = target()->NewDirectory(path, options, directory, debug);
    if (!opened.ok()) return NameLimit(path, std::move(opened));
    *directory = std::make_unique<SystemDirectory>(std::move(*directory), path);
    return opened;
  }
  IOStatus GetFreeSpace(const std::string& path, const IOOptions& options, std::uint64_t* free,
                        IODebugContext* debug) override {
    struct statvfs reported = {};
    if (::statvfs(path.c_str(), &reported) == 0 && reported.f_blocks == 0) {
      return IOStatus::NotSupported(path, "its file system reports no size");
    }
    return target()->GetFreeSpace(path, options, free, debug);
  }

 private:
  // Returns the error, or the limit of descriptors that has caused it.
  static IOStatus NameLimit(const std::string& path, IOStatus status) {
    const int error = status.ok() ? 0 : DescriptorErrorIn(status.ToString());
    if (error == 0) return status;
    status = IOStatus::IOError(path, ErrorText(error));
    status.SetRetryable(true);
    return status;
  }
};

}  // namespace

std::shared_ptr<rocksdb::FileSystem> SystemFiles(const std::shared_ptr<rocksdb::FileSystem>& base) {
  return std::make_shared<LimitedSystem>(base);
}

}  // namespace dolmen::engine
