#include "tests/support/intercepted_disk.h"

#include <array>
#include <utility>
#include <vector>

namespace dolmen::test {
namespace {

using rocksdb::FileOptions;
using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;
using rocksdb::Slice;
using Kind = DiskCall::Kind;

// The disk and the path of an open file.
class Interceptor {
 public:
  Interceptor(InterceptedDisk* disk, std::string path) : disk_(disk), path_(std::move(path)) {}

  template <typename Perform>
  IOStatus operator()(Kind kind, const Perform& perform) const {
    return disk_->Intercept({kind, path_, path_}, [&](std::size_t) { return perform(); });
  }
  template <typename Perform>
  IOStatus Read(std::size_t bytes, std::uint64_t offset, const Perform& perform) const {
    return disk_->Intercept({Kind::kRead, path_, path_, bytes, offset},
                            [&](std::size_t) { return perform(); });
  }
  IOStatus Write(std::string_view data, const PerformCall& perform) const {
    return disk_->Intercept({Kind::kWrite, path_, path_, data.size(), 0, data}, perform);
  }

 private:
  InterceptedDisk* disk_;
  std::string path_;
};

class SequentialFile : public rocksdb::FSSequentialFileOwnerWrapper {
 public:
  SequentialFile(std::unique_ptr<rocksdb::FSSequentialFile> file, Interceptor intercept)
      : FSSequentialFileOwnerWrapper(std::move(file)), intercept_(std::move(intercept)) {}

  IOStatus Read(std::size_t size, const IOOptions& options, Slice* result, char* scratch,
                IODebugContext* debug) override {
    return intercept_(Kind::kRead,
                      [&] { return target()->Read(size, options, result, scratch, debug); });
  }

 private:
  const Interceptor intercept_;
};

class RandomAccessFile : public rocksdb::FSRandomAccessFileOwnerWrapper {
 public:
  RandomAccessFile(std::unique_ptr<rocksdb::FSRandomAccessFile> file, Interceptor intercept)
      : FSRandomAccessFileOwnerWrapper(std::move(file)), intercept_(std::move(intercept)) {}

  IOStatus Read(std::uint64_t offset, std::size_t size, const IOOptions& options, Slice* result,
                char* scratch, IODebugContext* debug) const override {
    return intercept_.Read(size, offset, [&] {
      return target()->Read(offset, size, options, result, scratch, debug);
    });
  }
  IOStatus MultiRead(rocksdb::FSReadRequest* requests, std::size_t count, const IOOptions& options,
                     IODebugContext* debug) override {
    return intercept_(Kind::kRead,
                      [&] { return target()->MultiRead(requests, count, options, debug); });
  }

 private:
  const Interceptor intercept_;
};

class WritableFile : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  WritableFile(std::unique_ptr<rocksdb::FSWritableFile> file, Interceptor intercept)
      : FSWritableFileOwnerWrapper(std::move(file)), intercept_(std::move(intercept)) {}

  IOStatus Append(const Slice& data, const IOOptions& options, IODebugContext* debug) override {
    return intercept_.Write(data.ToStringView(), [&](std::size_t bytes) {
      return target()->Append(Slice(data.data(), bytes), options, debug);
    });
  }
  IOStatus Append(const Slice& data, const IOOptions& options, const rocksdb::DataVerificationInfo&,
                  IODebugContext* debug) override {
    return Append(data, options, debug);
  }
  IOStatus Truncate(std::uint64_t size, const IOOptions& options, IODebugContext* debug) override {
    return intercept_(Kind::kTruncate, [&] { return target()->Truncate(size, options, debug); });
  }
  IOStatus Sync(const IOOptions& options, IODebugContext* debug) override {
    return intercept_(Kind::kSync, [&] { return target()->Sync(options, debug); });
  }
  IOStatus Fsync(const IOOptions& options, IODebugContext* debug) override {
    return intercept_(Kind::kSync, [&] { return target()->Fsync(options, debug); });
  }
  IOStatus Close(const IOOptions& options, IODebugContext* debug) override {
    return intercept_(Kind::kClose, [&] { return target()->Close(options, debug); });
  }

 private:
  const Interceptor intercept_;
};

class Directory : public rocksdb::FSDirectoryWrapper {
 public:
  Directory(std::unique_ptr<rocksdb::FSDirectory> directory, Interceptor intercept)
      : FSDirectoryWrapper(std::move(directory)), intercept_(std::move(intercept)) {}

  IOStatus Fsync(const IOOptions& options, IODebugContext* debug) override {
    return intercept_(Kind::kSyncDirectory,
                      [&] { return FSDirectoryWrapper::Fsync(options, debug); });
  }
  IOStatus FsyncWithDirOptions(const IOOptions& options, IODebugContext* debug,
                               const rocksdb::DirFsyncOptions& directory) override {
    return intercept_(Kind::kSyncDirectory, [&] {
      return FSDirectoryWrapper::FsyncWithDirOptions(options, debug, directory);
    });
  }

 private:
  const Interceptor intercept_;
};

// Replaces the opened `*file` by a Wrapper of it.
template <typename Wrapper, typename File>
IOStatus Wrap(const IOStatus& opened, std::unique_ptr<File>* file, const Interceptor& intercept) {
  if (opened.ok()) *file = std::make_unique<Wrapper>(std::move(*file), intercept);
  return opened;
}

}  // namespace

std::string_view DiskCall::NameOf(Kind kind) {
  static constexpr std::array<std::string_view, kKinds> kNames = {
      "open",  "create",    "reopen",           "open directory", "read",
      "write", "sync",      "sync directory",   "close",          "rename",
      "link",  "delete",    "create directory", "truncate",       "look",
      "lock",  "free space"};
  return kNames.at(static_cast<std::size_t>(kind));
}

bool DiskCall::Changes() const {
  switch (kind) {
    case Kind::kCreate:
    case Kind::kReopen:
    case Kind::kWrite:
    case Kind::kSync:
    case Kind::kSyncDirectory:
    case Kind::kClose:
    case Kind::kRename:
    case Kind::kLink:
    case Kind::kDelete:
    case Kind::kCreateDirectory:
    case Kind::kTruncate:
      return true;
    default:
      return false;
  }
}

IOStatus InterceptedDisk::NewSequentialFile(const std::string& path, const FileOptions& options,
                                            std::unique_ptr<rocksdb::FSSequentialFile>* file,
                                            IODebugContext* debug) {
  const Interceptor intercept(this, path);
  return Wrap<SequentialFile>(
      intercept(Kind::kOpen,
                [&] { return target()->NewSequentialFile(path, options, file, debug); }),
      file, intercept);
}

IOStatus InterceptedDisk::NewRandomAccessFile(const std::string& path, const FileOptions& options,
                                              std::unique_ptr<rocksdb::FSRandomAccessFile>* file,
                                              IODebugContext* debug) {
  const Interceptor intercept(this, path);
  return Wrap<RandomAccessFile>(
      intercept(Kind::kOpen,
                [&] { return target()->NewRandomAccessFile(path, options, file, debug); }),
      file, intercept);
}

IOStatus InterceptedDisk::NewWritableFile(const std::string& path, const FileOptions& options,
                                          std::unique_ptr<rocksdb::FSWritableFile>* file,
                                          IODebugContext* debug) {
  const Interceptor intercept(this, path);
  return Wrap<WritableFile>(
      intercept(Kind::kCreate,
                [&] { return target()->NewWritableFile(path, options, file, debug); }),
      file, intercept);
}

IOStatus InterceptedDisk::ReopenWritableFile(const std::string& path, const FileOptions& options,
                                             std::unique_ptr<rocksdb::FSWritableFile>* file,
                                             IODebugContext* debug) {
  const Interceptor intercept(this, path);
  return Wrap<WritableFile>(
      intercept(Kind::kReopen,
                [&] { return target()->ReopenWritableFile(path, options, file, debug); }),
      file, intercept);
}

IOStatus InterceptedDisk::NewDirectory(const std::string& path, const IOOptions& options,
                                       std::unique_ptr<rocksdb::FSDirectory>* directory,
                                       IODebugContext* debug) {
  const Interceptor intercept(this, path);
  return Wrap<Directory>(
      intercept(Kind::kOpenDirectory,
                [&] { return target()->NewDirectory(path, options, directory, debug); }),
      directory, intercept);
}

IOStatus InterceptedDisk::FileExists(const std::string& path, const IOOptions& options,
                                     IODebugContext* debug) {
  return Intercept({Kind::kLook, path, path},
                   [&](std::size_t) { return target()->FileExists(path, options, debug); });
}

IOStatus InterceptedDisk::GetChildren(const std::string& path, const IOOptions& options,
                                      std::vector<std::string>* names, IODebugContext* debug) {
  return Intercept({Kind::kLook, path, path},
                   [&](std::size_t) { return target()->GetChildren(path, options, names, debug); });
}

IOStatus InterceptedDisk::GetFileSize(const std::string& path, const IOOptions& options,
                                      std::uint64_t* size, IODebugContext* debug) {
  return Intercept({Kind::kLook, path, path},
                   [&](std::size_t) { return target()->GetFileSize(path, options, size, debug); });
}

IOStatus InterceptedDisk::GetFileModificationTime(const std::string& path, const IOOptions& options,
                                                  std::uint64_t* time, IODebugContext* debug) {
  return Intercept({Kind::kLook, path, path}, [&](std::size_t) {
    return target()->GetFileModificationTime(path, options, time, debug);
  });
}

IOStatus InterceptedDisk::DeleteFile(const std::string& path, const IOOptions& options,
                                     IODebugContext* debug) {
  return Intercept({Kind::kDelete, path, path},
                   [&](std::size_t) { return target()->DeleteFile(path, options, debug); });
}

IOStatus InterceptedDisk::LinkFile(const std::string& from, const std::string& to,
                                   const IOOptions& options, IODebugContext* debug) {
  return Intercept({Kind::kLink, from, to},
                   [&](std::size_t) { return target()->LinkFile(from, to, options, debug); });
}

IOStatus InterceptedDisk::RenameFile(const std::string& from, const std::string& to,
                                     const IOOptions& options, IODebugContext* debug) {
  return Intercept({Kind::kRename, from, to},
                   [&](std::size_t) { return target()->RenameFile(from, to, options, debug); });
}

IOStatus InterceptedDisk::Truncate(const std::string& path, std::size_t size,
                                   const IOOptions& options, IODebugContext* debug) {
  return Intercept({Kind::kTruncate, path, path},
                   [&](std::size_t) { return target()->Truncate(path, size, options, debug); });
}

IOStatus InterceptedDisk::CreateDir(const std::string& path, const IOOptions& options,
                                    IODebugContext* debug) {
  return Intercept({Kind::kCreateDirectory, path, path},
                   [&](std::size_t) { return target()->CreateDir(path, options, debug); });
}

IOStatus InterceptedDisk::CreateDirIfMissing(const std::string& path, const IOOptions& options,
                                             IODebugContext* debug) {
  return Intercept({Kind::kCreateDirectory, path, path},
                   [&](std::size_t) { return target()->CreateDirIfMissing(path, options, debug); });
}

IOStatus InterceptedDisk::LockFile(const std::string& path, const IOOptions& options,
                                   rocksdb::FileLock** lock, IODebugContext* debug) {
  return Intercept({Kind::kLock, path, path},
                   [&](std::size_t) { return target()->LockFile(path, options, lock, debug); });
}

IOStatus InterceptedDisk::GetFreeSpace(const std::string& path, const IOOptions& options,
                                       std::uint64_t* free, IODebugContext* debug) {
  return Intercept({Kind::kFreeSpace, path, path},
                   [&](std::size_t) { return target()->GetFreeSpace(path, options, free, debug); });
}

}  // namespace dolmen::test
