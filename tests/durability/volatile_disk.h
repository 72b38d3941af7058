// A disk that loses what was not synced when the power is cut.

#pragma once

#include <rocksdb/file_system.h>

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "tests/support/random.h"

namespace dolmen::test {

// A file system that keeps its files in the operating system's file system and notes which bytes
// and which names are synced. Renames and deletions survive a power cut at once. Thread-safe.
class VolatileDisk : public rocksdb::FileSystemWrapper {
 public:
  VolatileDisk() : FileSystemWrapper(rocksdb::FileSystem::Default()) {}

  // Cuts the power: from now on every change fails.
  void CutPower();

  // Copies `from` to `to` as a disk may look after the power cut. A file ends at a random byte
  // behind its last synced byte. A file whose name was not synced may be missing.
  void CopyRemains(const std::filesystem::path& from, const std::filesystem::path& to,
                   Random* random);

  const char* Name() const override { return "VolatileDisk"; }
  rocksdb::IOStatus NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                    std::unique_ptr<rocksdb::FSWritableFile>* file,
                                    rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus ReopenWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                       std::unique_ptr<rocksdb::FSWritableFile>* file,
                                       rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus NewDirectory(const std::string& path, const rocksdb::IOOptions& options,
                                 std::unique_ptr<rocksdb::FSDirectory>* directory,
                                 rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus RenameFile(const std::string& from, const std::string& to,
                               const rocksdb::IOOptions& options,
                               rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus DeleteFile(const std::string& path, const rocksdb::IOOptions& options,
                               rocksdb::IODebugContext* debug) override;

 private:
  class File;
  class Directory;
  struct Synced {
    std::uint64_t bytes = 0;
    bool name = false;
  };

  rocksdb::IOStatus CheckPower() const;
  void NoteSynced(const std::string& path);
  void NoteNamesSynced();

  std::atomic<bool> off_ = false;
  std::mutex mutex_;
  std::map<std::string, Synced> files_;  // the files that were created, by path; guarded by mutex_
};

}  // namespace dolmen::test
