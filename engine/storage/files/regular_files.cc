#include "engine/storage/files/regular_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "engine/storage/files/process_limits.h"
#include "engine/storage/files/system_files.h"

namespace dolmen::engine {
namespace {

using rocksdb::FileOptions;
using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;

const char* KindOf(mode_t mode) {
  if (S_ISREG(mode)) return "a file";
  if (S_ISDIR(mode)) return "a directory";
  if (S_ISLNK(mode)) return "a symbolic link";
  if (S_ISFIFO(mode)) return "a named pipe";
  if (S_ISSOCK(mode)) return "a socket";
  return "a device";
}

// Returns what is wrong if the path leads to something other than `wanted`, which is S_IFREG or
// S_IFDIR. Returns an empty text if nothing is there: the caller then gets the error of its own call.
std::string WrongKind(const std::string& path, mode_t wanted) {
  struct stat status = {};
  if (::lstat(path.c_str(), &status) != 0 || (status.st_mode & S_IFMT) == wanted) return {};
  const std::string name = wanted == S_IFDIR ? "directory" : "file";
  return std::string("is ") + KindOf(status.st_mode) + ", not a " + name + ": put the database's " +
         name + " itself in its place, or restore a backup";
}

// Returns the size that a file with this path has at most. Dolmen and RocksDB read such a file as a
// whole. The other files are read in parts, and have no limit.
std::uint64_t LimitOf(std::string_view path) {
  constexpr std::uint64_t kShort = 4 << 20;
  constexpr std::uint64_t kListOfFiles = 256 << 20;  // a backup's list has a line for each file
  const std::size_t slash = path.rfind('/');
  const std::string_view name = path.substr(slash + 1);
  const std::string_view directory = path.substr(0, slash == path.npos ? 0 : slash);
  if (directory.ends_with("/meta")) return kListOfFiles;
  const bool is_short = name == "CURRENT" || name == "IDENTITY" || name.starts_with("DOLMEN") ||
                        name.starts_with("OPTIONS-");
  return is_short ? kShort : UINT64_MAX;
}

class RegularFiles : public rocksdb::FileSystemWrapper {
 public:
  RegularFiles(const std::shared_ptr<FileSystem>& base, std::string directory)
      : FileSystemWrapper(base), directory_(std::move(directory)) {}

  const char* Name() const override { return "DolmenRegularFiles"; }

  IOStatus NewSequentialFile(const std::string& path, const FileOptions& options,
                             std::unique_ptr<rocksdb::FSSequentialFile>* file,
                             IODebugContext* debug) override {
    IOStatus checked = Check(path, S_IFREG);
    if (checked.ok()) checked = CheckSize(path);
    return checked.ok() ? target()->NewSequentialFile(path, options, file, debug) : checked;
  }
  IOStatus NewRandomAccessFile(const std::string& path, const FileOptions& options,
                               std::unique_ptr<rocksdb::FSRandomAccessFile>* file,
                               IODebugContext* debug) override {
    IOStatus checked = Check(path, S_IFREG);
    return checked.ok() ? target()->NewRandomAccessFile(path, options, file, debug) : checked;
  }
  IOStatus NewWritableFile(const std::string& path, const FileOptions& options,
                           std::unique_ptr<rocksdb::FSWritableFile>* file,
                           IODebugContext* debug) override {
    IOStatus checked = Check(path, S_IFREG);
    return checked.ok() ? target()->NewWritableFile(path, options, file, debug) : checked;
  }
  IOStatus ReopenWritableFile(const std::string& path, const FileOptions& options,
                              std::unique_ptr<rocksdb::FSWritableFile>* file,
                              IODebugContext* debug) override {
    IOStatus checked = Check(path, S_IFREG);
    return checked.ok() ? target()->ReopenWritableFile(path, options, file, debug) : checked;
  }
  IOStatus ReuseWritableFile(const std::string& path, const std::string& old_path,
                             const FileOptions& options,
                             std::unique_ptr<rocksdb::FSWritableFile>* file,
                             IODebugContext* debug) override {
    IOStatus checked = Check(old_path, S_IFREG);
    return checked.ok() ? target()->ReuseWritableFile(path, old_path, options, file, debug)
                        : checked;
  }
  IOStatus NewRandomRWFile(const std::string& path, const FileOptions& options,
                           std::unique_ptr<rocksdb::FSRandomRWFile>* file,
                           IODebugContext* debug) override {
    IOStatus checked = Check(path, S_IFREG);
    return checked.ok() ? target()->NewRandomRWFile(path, options, file, debug) : checked;
  }
  IOStatus LockFile(const std::string& path, const IOOptions& options, rocksdb::FileLock** lock,
                    IODebugContext* debug) override {
    IOStatus checked = Check(path, S_IFREG);
    return checked.ok() ? target()->LockFile(path, options, lock, debug) : checked;
  }
  IOStatus Truncate(const std::string& path, std::size_t size, const IOOptions& options,
                    IODebugContext* debug) override {
    IOStatus checked = Check(path, S_IFREG);
    return checked.ok() ? target()->Truncate(path, size, options, debug) : checked;
  }

  IOStatus NewDirectory(const std::string& path, const IOOptions& options,
                        std::unique_ptr<rocksdb::FSDirectory>* opened,
                        IODebugContext* debug) override {
    IOStatus checked = Check(path, S_IFDIR);
    return checked.ok() ? target()->NewDirectory(path, options, opened, debug) : checked;
  }
  IOStatus CreateDirIfMissing(const std::string& path, const IOOptions& options,
                              IODebugContext* debug) override {
    IOStatus checked = Check(path, S_IFDIR);
    return checked.ok() ? target()->CreateDirIfMissing(path, options, debug) : checked;
  }
  IOStatus GetChildren(const std::string& path, const IOOptions& options,
                       std::vector<std::string>* names, IODebugContext* debug) override {
    IOStatus checked = Check(path, S_IFDIR);
    return checked.ok() ? target()->GetChildren(path, options, names, debug) : checked;
  }
  IOStatus GetChildrenFileAttributes(const std::string& path, const IOOptions& options,
                                     std::vector<rocksdb::FileAttributes>* files,
                                     IODebugContext* debug) override {
    IOStatus checked = Check(path, S_IFDIR);
    return checked.ok() ? target()->GetChildrenFileAttributes(path, options, files, debug)
                        : checked;
  }

 private:
  // Checks each directory between directory_ and the path, and what the path leads to.
  IOStatus Check(const std::string& path, mode_t wanted) const {
    const bool is_below = path.starts_with(directory_) && path[directory_.size()] == '/';
    if (is_below) {
      for (std::size_t at = path.find('/', directory_.size() + 1); at != path.npos;
           at = path.find('/', at + 1)) {
        IOStatus checked = CheckOne(path.substr(0, at), S_IFDIR);
        if (!checked.ok()) return checked;
      }
    }
    return is_below || wanted == S_IFREG ? CheckOne(path, wanted) : IOStatus::OK();
  }
  static IOStatus CheckOne(const std::string& path, mode_t wanted) {
    const std::string wrong = WrongKind(path, wanted);
    return wrong.empty() ? IOStatus::OK() : IOStatus::IOError(path, wrong);
  }
  static IOStatus CheckSize(const std::string& path) {
    const std::uint64_t limit = LimitOf(path);
    struct stat status = {};
    if (::lstat(path.c_str(), &status) != 0) return IOStatus::OK();
    if (static_cast<std::uint64_t>(status.st_size) <= limit) return IOStatus::OK();
    return IOStatus::IOError(path, "has " + std::to_string(status.st_size) +
                                       " bytes, more than such a file can have: it is damaged; "
                                       "restore a backup");
  }

  const std::string directory_;
};

}  // namespace

std::shared_ptr<rocksdb::FileSystem> RegularFilesIn(std::string directory,
                                                    std::shared_ptr<rocksdb::FileSystem> base) {
  if (base == nullptr) base = rocksdb::FileSystem::Default();
  return std::make_shared<RegularFiles>(SystemFiles(base), std::move(directory));
}

Result<int> OpenRegularFile(const std::string& path, int flags, std::string_view doing) {
  const auto fail = [&](const std::string& reason) {
    return Status::Storage(std::string(doing).append(" ").append(path).append(": ").append(reason));
  };
  // Opening a device can have an effect, so the path is looked at first.
  if (const std::string wrong = WrongKind(path, S_IFREG); !wrong.empty()) return fail(wrong);
  const int file =
      ::open(path.c_str(), flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0600);
  if (file < 0) return fail(ErrorText(errno));
  struct stat status = {};
  if (::fstat(file, &status) == 0 && S_ISREG(status.st_mode)) return file;
  ::close(file);
  return fail("is not a file");
}

Status CheckDirectory(const std::string& path) {
  const std::string wrong = WrongKind(path, S_IFDIR);
  return wrong.empty() ? Status() : Status::Storage("can't read " + path + ": " + wrong);
}

}  // namespace dolmen::engine
