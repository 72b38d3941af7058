#include "engine/storage/files/small_file.h"

#include <memory>

#include "engine/storage/files/owner_only.h"

namespace dolmen::engine {

using rocksdb::IOStatus;

IOStatus SyncDirectory(rocksdb::FileSystem* files, const std::string& directory) {
  std::unique_ptr<rocksdb::FSDirectory> opened;
  const IOStatus status = files->NewDirectory(directory, {}, &opened, nullptr);
  return status.ok() ? opened->Fsync({}, nullptr) : status;
}

IOStatus ReplaceFile(rocksdb::FileSystem* files, const std::string& path, const std::string& text) {
  const std::string temporary = path + ".new";
  const IOStatus written = rocksdb::WriteStringToFile(files, text, temporary, /*should_sync=*/true);
  RestrictFileToOwner(temporary);
  if (!written.ok()) return written;
  const IOStatus renamed = files->RenameFile(temporary, path, {}, nullptr);
  return renamed.ok() ? SyncDirectory(files, path.substr(0, path.rfind('/'))) : renamed;
}

}  // namespace dolmen::engine
