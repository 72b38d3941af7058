#include "engine/storage/small_files.h"

#include <rocksdb/convenience.h>
#include <rocksdb/env.h>
#include <rocksdb/options.h>

#include <algorithm>
#include <utility>

namespace dolmen::engine {
namespace {

// The bytes of a merged file divided by those of its largest part, at least.
constexpr std::uint64_t kGrowth = 3;
// The bytes of a run that is merged while the database is opened: some milliseconds.
constexpr std::uint64_t kBytesInOpening = std::uint64_t{1} << 20;
constexpr auto kPriority = rocksdb::Env::Priority::LOW;

using SstFiles = std::vector<rocksdb::SstFileMetaData>;

// Returns the number of files of the shortest run that begins with files[begin], or 0.
template <typename IsApart>
std::size_t RunLength(const SstFiles& files, std::size_t begin, std::uint64_t large_bytes,
                      const IsApart& is_apart) {
  std::uint64_t bytes = 0;
  std::uint64_t largest = 0;
  for (std::size_t end = begin; end < files.size(); ++end) {
    const std::uint64_t file_bytes = files[end].size;
    if (file_bytes >= large_bytes / kGrowth || is_apart(files[end])) return 0;
    bytes += file_bytes;
    largest = std::max(largest, file_bytes);
    if (end > begin && bytes >= kGrowth * largest) return end - begin + 1;
  }
  return 0;
}

FileRun RunOf(int level, const SstFiles& files, std::size_t begin, std::size_t length) {
  FileRun run{.level = level};
  for (std::size_t i = begin; i < begin + length; ++i) {
    run.names.push_back(files[i].name);
    run.bytes += files[i].size;
  }
  return run;
}

}  // namespace

std::optional<FileRun> RunToMerge(const rocksdb::ColumnFamilyMetaData& files,
                                  std::uint64_t large_bytes, const std::set<std::string>& apart) {
  const auto is_apart = [&apart](const rocksdb::SstFileMetaData& file) {
    return file.being_compacted || apart.contains(file.name);
  };
  std::optional<FileRun> smallest;
  for (const rocksdb::LevelMetaData& level : files.levels) {
    if (level.level == 0) continue;
    for (std::size_t begin = 0; begin < level.files.size(); ++begin) {
      const std::size_t length = RunLength(level.files, begin, large_bytes, is_apart);
      if (length == 0) continue;
      FileRun run = RunOf(level.level, level.files, begin, length);
      if (!smallest || run.bytes < smallest->bytes) smallest = std::move(run);
    }
  }
  return smallest;
}

void SmallFiles::Begin(rocksdb::DB* db, std::shared_ptr<FreeSpace> free_space,
                       std::uint64_t large_bytes) {
  db_ = db;
  free_space_ = std::move(free_space);
  large_bytes_ = large_bytes;
  const std::optional<FileRun> run = NextRun();
  if (run && run->bytes <= kBytesInOpening) Merge(*run);
  const MutexLock lock(mutex_);
  merges_ = true;
  if (run) Schedule();
}

void SmallFiles::Stop() {
  const MutexLock lock(mutex_);
  merges_ = false;
}

void SmallFiles::End() {
  {
    const MutexLock lock(mutex_);
    merges_ = false;
    if (has_job_) has_job_ = rocksdb::Env::Default()->UnSchedule(this, kPriority) == 0;
    if (!has_job_) return;
  }
  rocksdb::CancelAllBackgroundWork(db_, /*wait=*/false);
  const MutexLock lock(mutex_);
  while (has_job_) changed_.Wait(mutex_);
}

void SmallFiles::Continue() {
  const MutexLock lock(mutex_);
  Schedule();
}

void SmallFiles::Schedule() {
  if (!merges_ || has_job_) return;
  has_job_ = true;
  rocksdb::Env::Default()->Schedule([](void* files) { static_cast<SmallFiles*>(files)->RunJob(); },
                                    this, kPriority, this);
}

// Merges one run. The next one waits behind the compactions of other databases, which share the thread.
void SmallFiles::RunJob() {
  const std::optional<FileRun> run = NextRun();
  const bool is_done = run && Merge(*run);
  const MutexLock lock(mutex_);
  has_job_ = false;
  if (is_done) Schedule();
  changed_.NotifyAll();
}

std::optional<FileRun> SmallFiles::NextRun() const {
  rocksdb::ColumnFamilyMetaData files;
  db_->GetColumnFamilyMetaData(&files);
  return RunToMerge(files, large_bytes_, unreadable_);
}

bool SmallFiles::Merge(const FileRun& run) {
  std::uint64_t failed_jobs = 0;
  db_->GetIntProperty(rocksdb::DB::Properties::kBackgroundErrors, &failed_jobs);
  const Result<bool> has_space = free_space_->Query(run.bytes, /*only_deletes=*/false);
  if (failed_jobs > 0 || !has_space.ok()) return false;
  if (!CanRead(run)) return true;
  rocksdb::CompactionOptions options;
  options.compression = rocksdb::kDisableCompressionOption;  // that of the database
  if (!db_->CompactFiles(options, run.names, run.level).ok()) return false;
  iterators_->DropIdle();
  return true;
}

bool SmallFiles::CanRead(const FileRun& run) {
  const rocksdb::Options options = db_->GetOptions();
  const auto unreadable =
      std::find_if(run.names.begin(), run.names.end(), [&](const std::string& name) {
        return !rocksdb::VerifySstFileChecksum(options, {}, db_->GetName() + name).ok();
      });
  if (unreadable == run.names.end()) return true;
  unreadable_.insert(*unreadable);
  return false;
}

}  // namespace dolmen::engine
