#include "tests/durability/volatile_disk.h"

#include <utility>

namespace dolmen::test {

namespace fs = std::filesystem;
using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;
using rocksdb::Slice;

class VolatileDisk::File : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  File(std::unique_ptr<rocksdb::FSWritableFile> file, VolatileDisk* disk, std::string path)
      : FSWritableFileOwnerWrapper(std::move(file)), disk_(disk), path_(std::move(path)) {}

  IOStatus Append(const Slice& data, const IOOptions& options, IODebugContext* debug) override {
    const IOStatus power = disk_->CheckPower();
    return power.ok() ? FSWritableFileOwnerWrapper::Append(data, options, debug) : power;
  }
  IOStatus Append(const Slice& data, const IOOptions& options, const rocksdb::DataVerificationInfo&,
                  IODebugContext* debug) override {
    return Append(data, options, debug);
  }
  // Only notes what is synced. A real sync would make the test slow.
  IOStatus Sync(const IOOptions&, IODebugContext*) override {
    const IOStatus power = disk_->CheckPower();
    if (power.ok()) disk_->NoteSynced(path_);
    return power;
  }
  IOStatus Fsync(const IOOptions& options, IODebugContext* debug) override {
    return Sync(options, debug);
  }

 private:
  VolatileDisk* const disk_;
  const std::string path_;
};

class VolatileDisk::Directory : public rocksdb::FSDirectoryWrapper {
 public:
  Directory(std::unique_ptr<rocksdb::FSDirectory> directory, VolatileDisk* disk)
      : FSDirectoryWrapper(std::move(directory)), disk_(disk) {}

  IOStatus Fsync(const IOOptions&, IODebugContext*) override {
    if (IOStatus power = disk_->CheckPower(); !power.ok()) return power;
    disk_->NoteNamesSynced();
    return IOStatus::OK();
  }
  IOStatus FsyncWithDirOptions(const IOOptions& options, IODebugContext* debug,
                               const rocksdb::DirFsyncOptions&) override {
    return Fsync(options, debug);
  }

 private:
  VolatileDisk* const disk_;
};

void VolatileDisk::CutPower() {
  const std::lock_guard lock(mutex_);  // waits until a rename or a deletion has ended
  off_ = true;
}

void VolatileDisk::CopyRemains(const fs::path& from, const fs::path& to, Random* random) {
  const std::lock_guard lock(mutex_);
  fs::remove_all(to);
  fs::create_directories(to);
  for (const auto& entry : fs::directory_iterator(from)) {
    const auto known = files_.find(entry.path().string());
    if (known != files_.end() && !known->second.name && random->OneIn(2)) continue;
    const fs::path copy = to / entry.path().filename();
    fs::copy_file(entry.path(), copy);
    if (known == files_.end()) continue;
    const std::uint64_t unsynced = fs::file_size(copy) - known->second.bytes;
    fs::resize_file(copy, known->second.bytes + random->Below(unsynced + 1));
  }
}

IOStatus VolatileDisk::CheckPower() const {
  return off_ ? IOStatus::IOError("the power is off") : IOStatus::OK();
}

void VolatileDisk::NoteSynced(const std::string& path) {
  const std::lock_guard lock(mutex_);
  files_[path].bytes = fs::file_size(path);
}

void VolatileDisk::NoteNamesSynced() {
  const std::lock_guard lock(mutex_);
  for (auto& [path, synced] : files_) synced.name = true;
}

IOStatus VolatileDisk::NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                       std::unique_ptr<rocksdb::FSWritableFile>* file,
                                       IODebugContext* debug) {
  IOStatus made = CheckPower();
  if (made.ok()) made = FileSystemWrapper::NewWritableFile(path, options, file, debug);
  if (!made.ok()) return made;
  *file = std::make_unique<File>(std::move(*file), this, path);
  const std::lock_guard lock(mutex_);
  files_[path] = {};
  return made;
}

IOStatus VolatileDisk::ReopenWritableFile(const std::string& path,
                                          const rocksdb::FileOptions& options,
                                          std::unique_ptr<rocksdb::FSWritableFile>* file,
                                          IODebugContext* debug) {
  IOStatus made = CheckPower();
  if (made.ok()) made = FileSystemWrapper::ReopenWritableFile(path, options, file, debug);
  if (made.ok()) *file = std::make_unique<File>(std::move(*file), this, path);
  return made;
}

IOStatus VolatileDisk::NewDirectory(const std::string& path, const IOOptions& options,
                                    std::unique_ptr<rocksdb::FSDirectory>* directory,
                                    IODebugContext* debug) {
  IOStatus made = FileSystemWrapper::NewDirectory(path, options, directory, debug);
  if (made.ok()) *directory = std::make_unique<Directory>(std::move(*directory), this);
  return made;
}

IOStatus VolatileDisk::RenameFile(const std::string& from, const std::string& to,
                                  const IOOptions& options, IODebugContext* debug) {
  const std::lock_guard lock(mutex_);
  IOStatus renamed = CheckPower();
  if (renamed.ok()) renamed = FileSystemWrapper::RenameFile(from, to, options, debug);
  if (!renamed.ok()) return renamed;
  files_[to] = {std::exchange(files_[from], {}).bytes, true};
  files_.erase(from);
  return renamed;
}

IOStatus VolatileDisk::DeleteFile(const std::string& path, const IOOptions& options,
                                  IODebugContext* debug) {
  const std::lock_guard lock(mutex_);
  const IOStatus power = CheckPower();
  return power.ok() ? FileSystemWrapper::DeleteFile(path, options, debug) : power;
}

}  // namespace dolmen::test
