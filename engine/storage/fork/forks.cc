#include "engine/storage/fork/forks.h"

#include <rocksdb/env.h>
#include <rocksdb/file_system.h>

#include <string>

#include "engine/base/status_macros.h"
#include "engine/storage/backup/copy_target.h"
#include "engine/storage/backup/new_database.h"
#include "engine/storage/fork/live_files.h"
#include "engine/storage/rocks_status.h"

namespace dolmen::engine {
namespace {

// Logs of this size are copied faster than a memtable is written to a table file and synced.
constexpr std::uint64_t kCopiedLogBytes = 1 << 20;

// Gives the database in `directory` a new id. Otherwise RocksDB would do so at the first opening, by a
// temporary file and with one more sync of the directory.
Status WriteIdentity(rocksdb::DB* db, rocksdb::FileSystem* files, const std::string& directory) {
  return FromRocks(
      rocksdb::WriteStringToFile(files, db->GetEnv()->GenerateUniqueId(),
                                 directory + "/" + kIdentityFile, /*should_sync=*/true),
      "writing " + directory);
}

}  // namespace

Result<std::shared_ptr<const MemoryDirectory>> Forks::Image() {
  const MutexLock lock(mutex_);
  const bool is_in_memory = source_.memory != nullptr;
  const std::uint64_t sequence = source_.db->GetLatestSequenceNumber();
  if (image_ != nullptr && image_sequence_ == sequence) return image_;
  const auto image = std::make_shared<const MemoryDirectory>(is_in_memory ? source_.memory->files()
                                                                          : MemoryFiles::Create());
  DOLMEN_RETURN_IF_ERROR(
      CopyLiveFiles(source_.db, {.can_link = is_in_memory}, image->files().get(), image->path()));
  if (is_in_memory) {
    image_ = image;
    image_sequence_ = sequence;
  }
  return image;
}

Status Forks::CreateDatabase(const CopyPlace& place) {
  const bool is_on_disk = source_.files != nullptr;
  CopyTarget target(place.Files(), std::make_shared<CopyMeter>(nullptr));
  return CreateDatabaseFrom(place, &target, [&]() -> Result<std::string> {
    const std::string logs = FormatLogList(is_on_disk ? source_.files->LogsNow() : LogList());
    const LiveFilesOptions options = {.can_link = is_on_disk,
                                      .flush_from_log_bytes = is_on_disk ? kCopiedLogBytes : 0};
    DOLMEN_RETURN_IF_ERROR(WriteIdentity(source_.db, &target, place.directory));
    DOLMEN_RETURN_IF_ERROR(CopyLiveFiles(source_.db, options, &target, place.directory));
    return logs;
  });
}

}  // namespace dolmen::engine
