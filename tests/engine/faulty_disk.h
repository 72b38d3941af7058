// A disk for tests. The test decides whether reads and writes fail, and how much space is free.

#pragma once

#include <rocksdb/file_system.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "dolmen/internal/status_macros.h"
#include "engine/storage/files/directory.h"
#include "engine/storage/store.h"

namespace dolmen::engine {

// The faults of a disk, which its files share. A test may change them at any time.
struct DiskFaults {
  std::atomic<bool> reads_fail = false;   // reads of table files
  std::atomic<bool> writes_fail = false;  // appends to files
  std::atomic<std::uint64_t> free_bytes = std::uint64_t{1} << 40;
  std::atomic<int> log_syncs = 0;  // the number of times that a log was synced
  // Called before each read of a table file, by the thread that reads.
  std::function<void()> before_read = nullptr;
};

// A table file on a FaultyDisk.
class FaultyTableFile : public rocksdb::FSRandomAccessFileOwnerWrapper {
 public:
  FaultyTableFile(std::unique_ptr<rocksdb::FSRandomAccessFile> file,
                  std::shared_ptr<DiskFaults> faults)
      : FSRandomAccessFileOwnerWrapper(std::move(file)), faults_(std::move(faults)) {}

  rocksdb::IOStatus Read(std::uint64_t offset, std::size_t size, const rocksdb::IOOptions& options,
                         rocksdb::Slice* result, char* scratch,
                         rocksdb::IODebugContext* debug) const override {
    rocksdb::IOStatus status = BeginRead();
    if (!status.ok()) return status;
    return FSRandomAccessFileOwnerWrapper::Read(offset, size, options, result, scratch, debug);
  }
  rocksdb::IOStatus MultiRead(rocksdb::FSReadRequest* requests, std::size_t count,
                              const rocksdb::IOOptions& options,
                              rocksdb::IODebugContext* debug) override {
    rocksdb::IOStatus status = BeginRead();
    if (!status.ok()) return status;
    return FSRandomAccessFileOwnerWrapper::MultiRead(requests, count, options, debug);
  }

 private:
  rocksdb::IOStatus BeginRead() const {
    if (faults_->before_read) faults_->before_read();
    return faults_->reads_fail ? rocksdb::IOStatus::IOError("Input/output error")
                               : rocksdb::IOStatus::OK();
  }

  const std::shared_ptr<DiskFaults> faults_;
};

// A file that a FaultyDisk writes.
class FaultyWritableFile : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  FaultyWritableFile(std::unique_ptr<rocksdb::FSWritableFile> file,
                     std::shared_ptr<DiskFaults> faults, bool is_log)
      : FSWritableFileOwnerWrapper(std::move(file)), faults_(std::move(faults)), is_log_(is_log) {}

  rocksdb::IOStatus Append(const rocksdb::Slice& data, const rocksdb::IOOptions& options,
                           rocksdb::IODebugContext* debug) override {
    if (faults_->writes_fail) return rocksdb::IOStatus::IOError("Input/output error");
    return FSWritableFileOwnerWrapper::Append(data, options, debug);
  }
  rocksdb::IOStatus Append(const rocksdb::Slice& data, const rocksdb::IOOptions& options,
                           const rocksdb::DataVerificationInfo&,
                           rocksdb::IODebugContext* debug) override {
    return Append(data, options, debug);
  }
  rocksdb::IOStatus Sync(const rocksdb::IOOptions& options,
                         rocksdb::IODebugContext* debug) override {
    if (is_log_) ++faults_->log_syncs;
    return FSWritableFileOwnerWrapper::Sync(options, debug);
  }

 private:
  const std::shared_ptr<DiskFaults> faults_;
  const bool is_log_;
};

// The operating system's file system, with faults.
class FaultyDisk : public rocksdb::FileSystemWrapper {
 public:
  explicit FaultyDisk(std::shared_ptr<DiskFaults> faults)
      : FileSystemWrapper(rocksdb::FileSystem::Default()), faults_(std::move(faults)) {}

  const char* Name() const override { return "FaultyDisk"; }

  rocksdb::IOStatus NewRandomAccessFile(const std::string& name,
                                        const rocksdb::FileOptions& options,
                                        std::unique_ptr<rocksdb::FSRandomAccessFile>* file,
                                        rocksdb::IODebugContext* debug) override {
    rocksdb::IOStatus opened = FileSystemWrapper::NewRandomAccessFile(name, options, file, debug);
    if (opened.ok()) *file = std::make_unique<FaultyTableFile>(std::move(*file), faults_);
    return opened;
  }

  rocksdb::IOStatus NewWritableFile(const std::string& name, const rocksdb::FileOptions& options,
                                    std::unique_ptr<rocksdb::FSWritableFile>* file,
                                    rocksdb::IODebugContext* debug) override {
    rocksdb::IOStatus made = FileSystemWrapper::NewWritableFile(name, options, file, debug);
    if (!made.ok()) return made;
    *file = std::make_unique<FaultyWritableFile>(std::move(*file), faults_, name.ends_with(".log"));
    return made;
  }

  rocksdb::IOStatus GetFreeSpace(const std::string&, const rocksdb::IOOptions&, std::uint64_t* free,
                                 rocksdb::IODebugContext*) override {
    *free = faults_->free_bytes;
    return rocksdb::IOStatus::OK();
  }

 private:
  const std::shared_ptr<DiskFaults> faults_;
};

// Prepares the directory of a store on the disk, as Engine::Open does, and opens the store.
inline Result<std::unique_ptr<Store>> OpenPrepared(const StoreOptions& options) {
  if (!options.in_memory) {
    DOLMEN_RETURN_IF_ERROR(PrepareDirectory(options.directory, !options.read_only));
  }
  return Store::Open(options);
}

}  // namespace dolmen::engine
