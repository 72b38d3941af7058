#include "engine/storage/live_files.h"

#include <rocksdb/metadata.h>
#include <rocksdb/options.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "dolmen/internal/status_macros.h"
#include "engine/storage/rocks_status.h"

namespace dolmen::engine {
namespace {

using rocksdb::FileSystem;
using rocksdb::IOStatus;

constexpr std::size_t kCopyBytes = 1 << 20;

// Copies the first `size` bytes of a file.
IOStatus CopyFile(FileSystem* source, const std::string& from, FileSystem* target,
                  const std::string& to, std::uint64_t size) {
  std::unique_ptr<rocksdb::FSSequentialFile> input;
  std::unique_ptr<rocksdb::FSWritableFile> output;
  IOStatus status = source->NewSequentialFile(from, {}, &input, nullptr);
  if (status.ok()) status = target->NewWritableFile(to, {}, &output, nullptr);
  const auto buffer_bytes = static_cast<std::size_t>(std::min<std::uint64_t>(size, kCopyBytes));
  std::vector<char> buffer(buffer_bytes);
  while (status.ok() && size > 0) {
    rocksdb::Slice part;
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(size, buffer.size()));
    status = input->Read(wanted, {}, &part, buffer.data(), nullptr);
    if (status.ok() && part.empty()) status = IOStatus::Corruption(from + " is too short");
    if (status.ok()) status = output->Append(part, {}, nullptr);
    size -= part.size();
  }
  if (status.ok()) status = output->Sync({}, nullptr);
  return status.ok() ? output->Close({}, nullptr) : status;
}

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
    IOStatus linked = target->LinkFile(from, path, {}, nullptr);
    if (!linked.IsNotSupported()) return linked;
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
  db->EnableFileDeletions(/*force=*/false).PermitUncheckedError();
  return FromRocks(status, "copying to " + to);
}

}  // namespace dolmen::engine
