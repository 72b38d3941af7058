#include "engine/storage/fork/live_files.h"

#include <rocksdb/metadata.h>
#include <rocksdb/options.h>

#include <vector>

#include "engine/base/status_macros.h"
#include "engine/storage/files/whole_file.h"
#include "engine/storage/rocks_status.h"
#include "engine/storage/rocks_versions.h"

namespace dolmen::engine {
namespace {

using rocksdb::FileSystem;
using rocksdb::IOStatus;

// Creates one file of the copy.
IOStatus CreateFile(const rocksdb::LiveFileStorageInfo& file, bool can_link, FileSystem* source,
                    FileSystem* target, const std::string& to) {
  const std::string path = to + "/" + file.relative_filename;
  if (!file.replacement_contents.empty()) {
    return rocksdb::WriteStringToFile(target, file.replacement_contents, path,
                                      /*should_sync=*/true);
  }
  const std::string from = file.directory + "/" + file.relative_filename;
  if (can_link && !file.trim_to_size) {
    // Many file systems have no links, or no further ones of this file. The copy takes longer.
    IOStatus linked = target->LinkFile(from, path, {}, nullptr);
    if (linked.ok()) return linked;
  }
  return CopyFile(source, from, target, path, file.size);
}

}  // namespace

Status CopyLiveFiles(rocksdb::DB* db, const LiveFilesOptions& options, FileSystem* target,
                     const std::string& to) {
  DOLMEN_RETURN_IF_ERROR(FromRocks(db->DisableFileDeletions(), "copying"));
  rocksdb::LiveFilesStorageInfoOptions listing;
  listing.wal_size_for_flush = options.flush_from_log_bytes;
  std::vector<rocksdb::LiveFileStorageInfo> files;
  rocksdb::Status status = db->GetLiveFilesStorageInfo(listing, &files);
  for (const rocksdb::LiveFileStorageInfo& file : files) {
    if (!status.ok()) break;
    if (file.file_type == rocksdb::kOptionsFile) continue;  // RocksDB writes it at each opening
    status = CreateFile(file, options.can_link, db->GetFileSystem(), target, to);
  }
  EnableFileDeletions(db).PermitUncheckedError();
  return FromRocks(status, "copying to " + to);
}

}  // namespace dolmen::engine
