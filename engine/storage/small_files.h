// Small table files, which the store merges so that the number of files follows the bytes, not the flushes.
//
// RocksDB compacts files whose keys overlap. It moves any other file down the levels as it is. So ascending keys, for
// example times, would leave one file for each flush, and each opening flushes.

#pragma once

#include <rocksdb/db.h>
#include <rocksdb/listener.h>
#include <rocksdb/metadata.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/base/mutex.h"
#include "engine/storage/files/free_space.h"
#include "engine/storage/iterator_pool.h"

namespace dolmen::engine {

// Adjacent table files of one level.
struct FileRun {
  int level = 0;
  std::vector<std::string> names =
      {};  // paths below the database's directory, such as "/000012.sst"
  std::uint64_t bytes = 0;
};

// Returns the smallest run of files to merge into one file, or nothing. No run has one of the files `apart`.
//
// The run has three times the bytes of its largest file, at least. So a byte is written once more whenever its file
// grows threefold, until the file has a third of `large_bytes`. RocksDB compacts level 0 in any case.
std::optional<FileRun> RunToMerge(const rocksdb::ColumnFamilyMetaData& files,
                                  std::uint64_t large_bytes,
                                  const std::set<std::string>& apart = {});

// Merges the small files of a database, after it was opened and after each flush. Thread-safe.
//
// The merges run one after the other in the thread of RocksDB's compactions, and leave the reserve of the disk free. A
// merge that cannot be done now is tried again after the next flush or compaction.
class SmallFiles : public rocksdb::EventListener {
 public:
  explicit SmallFiles(std::shared_ptr<IteratorPool> iterators) : iterators_(std::move(iterators)) {}

  // Begins to merge files. Merges at most one small run itself, because a program that writes little may close the
  // database soon. `large_bytes` is the size of the database's large table files.
  void Begin(rocksdb::DB* db, std::shared_ptr<FreeSpace> free_space, std::uint64_t large_bytes)
      DOLMEN_EXCLUDES(mutex_);
  // Merges no more files. A merge that runs ends later.
  void Stop() DOLMEN_EXCLUDES(mutex_);
  // Breaks off the merge that runs, and every other job of RocksDB. The caller closes the database next.
  void End() DOLMEN_EXCLUDES(mutex_);

  void OnFlushCompleted(rocksdb::DB*, const rocksdb::FlushJobInfo&) override { Continue(); }
  void OnCompactionCompleted(rocksdb::DB*, const rocksdb::CompactionJobInfo&) override {
    Continue();
  }

 private:
  // Returns the run to merge next.
  std::optional<FileRun> NextRun() const;
  // Merges the files of the run. Returns false if this cannot be done now.
  bool Merge(const FileRun& run);
  // Reads the files of the run. Sets a file apart that cannot be read, because RocksDB accepts no write any more after
  // a merge that fails.
  bool CanRead(const FileRun& run);
  void Continue() DOLMEN_EXCLUDES(mutex_);
  void Schedule() DOLMEN_REQUIRES(mutex_);
  void RunJob() DOLMEN_EXCLUDES(mutex_);

  const std::shared_ptr<IteratorPool> iterators_;
  // Constant once Begin has set merges_.
  rocksdb::DB* db_ = nullptr;
  std::shared_ptr<FreeSpace> free_space_;
  std::uint64_t large_bytes_ = 0;
  std::set<std::string> unreadable_;  // names of files; Begin and the job use them
  Mutex mutex_;
  ConditionVariable changed_;                       // notified when has_job_ becomes false
  bool merges_ DOLMEN_GUARDED_BY(mutex_) = false;   // between Begin and Stop
  bool has_job_ DOLMEN_GUARDED_BY(mutex_) = false;  // a job waits or runs
};

}  // namespace dolmen::engine
