// A file system whose calls a test observes, fails or alters.

#pragma once

#include <rocksdb/file_system.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace dolmen::test {

// A call of a file system.
struct DiskCall {
  enum class Kind : std::uint8_t {
    kOpen,           // a file, for reading
    kCreate,         // a file, or empties an existing file
    kReopen,         // a file, for writing at its end
    kOpenDirectory,  // to sync it
    kRead,
    kWrite,
    kSync,
    kSyncDirectory,
    kClose,  // a file that was written
    kRename,
    kLink,
    kDelete,
    kCreateDirectory,
    kTruncate,
    kLook,  // for names, sizes and times
    kLock,
    kFreeSpace,
  };
  static constexpr std::size_t kKinds = 17;

  // Returns the name of the kind, for example "write".
  static std::string_view NameOf(Kind kind);
  // Returns true if the call may change what the disk holds after a power cut.
  bool Changes() const;

  Kind kind;
  const std::string& path;
  const std::string& new_path;  // of kRename and kLink; otherwise the path
  std::size_t bytes = 0;        // the number of bytes to append, or to read at `offset`
  std::uint64_t offset = 0;     // of kRead, unless the file is read from its beginning to its end
  std::string_view data = {};   // of kWrite: the bytes to append
};

// Executes the intercepted call and returns its outcome. A kWrite appends only the first `bytes`
// bytes. Other calls ignore `bytes`.
using PerformCall = std::function<rocksdb::IOStatus(std::size_t bytes)>;

// The operating system's file system. Intercept() decides the outcome of each call, also of the
// calls of open files. The files refer to the disk, which must outlive them.
class InterceptedDisk : public rocksdb::FileSystemWrapper {
 public:
  InterceptedDisk() : FileSystemWrapper(rocksdb::FileSystem::Default()) {}
  ~InterceptedDisk() override = default;

  // Returns the outcome of the call, and calls `perform` to execute it. Called by any thread.
  virtual rocksdb::IOStatus Intercept(const DiskCall& call, const PerformCall& perform) = 0;

  const char* Name() const override { return "InterceptedDisk"; }
  rocksdb::IOStatus NewSequentialFile(const std::string& path, const rocksdb::FileOptions& options,
                                      std::unique_ptr<rocksdb::FSSequentialFile>* file,
                                      rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus NewRandomAccessFile(const std::string& path,
                                        const rocksdb::FileOptions& options,
                                        std::unique_ptr<rocksdb::FSRandomAccessFile>* file,
                                        rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                    std::unique_ptr<rocksdb::FSWritableFile>* file,
                                    rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus ReopenWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                       std::unique_ptr<rocksdb::FSWritableFile>* file,
                                       rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus NewDirectory(const std::string& path, const rocksdb::IOOptions& options,
                                 std::unique_ptr<rocksdb::FSDirectory>* directory,
                                 rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus FileExists(const std::string& path, const rocksdb::IOOptions& options,
                               rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus GetChildren(const std::string& path, const rocksdb::IOOptions& options,
                                std::vector<std::string>* names,
                                rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus GetFileSize(const std::string& path, const rocksdb::IOOptions& options,
                                std::uint64_t* size, rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus GetFileModificationTime(const std::string& path,
                                            const rocksdb::IOOptions& options, std::uint64_t* time,
                                            rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus DeleteFile(const std::string& path, const rocksdb::IOOptions& options,
                               rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus LinkFile(const std::string& from, const std::string& to,
                             const rocksdb::IOOptions& options,
                             rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus RenameFile(const std::string& from, const std::string& to,
                               const rocksdb::IOOptions& options,
                               rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus Truncate(const std::string& path, std::size_t size,
                             const rocksdb::IOOptions& options,
                             rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus CreateDir(const std::string& path, const rocksdb::IOOptions& options,
                              rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus CreateDirIfMissing(const std::string& path, const rocksdb::IOOptions& options,
                                       rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus LockFile(const std::string& path, const rocksdb::IOOptions& options,
                             rocksdb::FileLock** lock, rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus GetFreeSpace(const std::string& path, const rocksdb::IOOptions& options,
                                 std::uint64_t* free, rocksdb::IODebugContext* debug) override;
};

}  // namespace dolmen::test
