// The file system to which a backup or a restore copies files.

#pragma once

#include <rocksdb/file_system.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "dolmen/backup.h"

namespace dolmen::engine {

// The progress of copying, which the files of a CopyTarget share. RocksDB writes one file at a
// time, though not always from the same thread.
class CopyMeter {
 public:
  explicit CopyMeter(CopyProgressHandler handler) : handler_(std::move(handler)) {}

  // Sets the number of bytes that will be copied. Called before the copying begins.
  void Expect(std::uint64_t bytes) { bytes_expected_ = bytes; }

  // Counts the bytes and calls the handler. Returns Aborted if the handler has ended the copying.
  rocksdb::IOStatus Count(std::uint64_t bytes);

  // Tells the handler that everything is copied. The expected number of bytes is only an estimate.
  void Finish();

  std::uint64_t bytes_copied() const { return bytes_copied_; }
  bool ended() const { return ended_; }

 private:
  const CopyProgressHandler handler_;
  std::uint64_t bytes_expected_ = 1;
  std::atomic<std::uint64_t> bytes_copied_ = 0;
  std::atomic<bool> ended_ = false;
};

// A file system that gives the files and directories that it creates to their owner only, and
// counts the bytes that are written.
class CopyTarget : public rocksdb::FileSystemWrapper {
 public:
  CopyTarget(const std::shared_ptr<rocksdb::FileSystem>& base, std::shared_ptr<CopyMeter> meter)
      : FileSystemWrapper(base), meter_(std::move(meter)) {}

  const char* Name() const override { return "DolmenCopyTarget"; }
  rocksdb::IOStatus NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                    std::unique_ptr<rocksdb::FSWritableFile>* file,
                                    rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus CreateDir(const std::string& path, const rocksdb::IOOptions& options,
                              rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus CreateDirIfMissing(const std::string& path, const rocksdb::IOOptions& options,
                                       rocksdb::IODebugContext* debug) override;

 private:
  const std::shared_ptr<CopyMeter> meter_;
};

}  // namespace dolmen::engine
