#include "engine/storage/fork/directory_image.h"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/status_macros.h"
#include "engine/storage/encryption/encrypted_files.h"
#include "engine/storage/files/directory_lock.h"
#include "engine/storage/files/regular_files.h"
#include "engine/storage/files/whole_file.h"
#include "engine/storage/logs/log_check.h"
#include "engine/storage/rocks_status.h"

namespace dolmen::engine {
namespace {

// Returns true for the files that a database in memory needs. Only the disk has the others: locks,
// markers, and the options that RocksDB writes at each opening.
bool IsContent(std::string_view name) {
  return name == "CURRENT" || name == "IDENTITY" || name.starts_with("MANIFEST-") ||
         name.ends_with(".sst") || name.ends_with(".log");
}

std::uint64_t MemoryBytes() {
  return static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

// Copies the files. `torn` tells where a torn log ends. Refuses files that cannot fit into the
// memory, such as sparse ones, before it has filled the memory.
rocksdb::IOStatus CopyContent(rocksdb::FileSystem* disk, const std::string& directory,
                              const TornLogs& torn, const MemoryDirectory& image) {
  std::vector<std::string> names;
  rocksdb::IOStatus status = disk->GetChildren(directory, {}, &names, nullptr);
  std::uint64_t left = MemoryBytes();
  for (const std::string& name : names) {
    if (!status.ok() || !IsContent(name)) continue;
    const std::string path = directory + "/" + name;
    std::uint64_t size = 0;
    status = disk->GetFileSize(path, {}, &size, nullptr);
    if (const auto end = torn.find(name); end != torn.end()) size = end->second;
    if (status.ok() && size > left) {
      status = rocksdb::IOStatus::IOError(
          path, "has " + std::to_string(size) + " bytes, more than this machine's memory has left");
    }
    left -= std::min(size, left);
    if (status.ok()) {
      status = CopyFile(disk, path, image.files().get(), image.path() + "/" + name, size);
    }
  }
  return status;
}

}  // namespace

Result<std::shared_ptr<const MemoryDirectory>> CopyToMemory(
    const std::string& directory, const std::optional<EncryptionKey>& key) {
  DOLMEN_ASSIGN_OR_RETURN(const DirectoryLock lock, DirectoryLock::AcquireToCopy(directory));
  std::shared_ptr<rocksdb::FileSystem> disk = RegularFilesIn(directory);
  if (key) disk = EncryptFiles(disk, *key);
  DOLMEN_ASSIGN_OR_RETURN(const CheckedLogs logs,
                          CheckLogs(disk.get(), directory, key.has_value()));
  const auto image = std::make_shared<const MemoryDirectory>(MemoryFiles::Create());
  DOLMEN_RETURN_IF_ERROR(FromRocks(CopyContent(disk.get(), directory, logs.torn, *image),
                                   "copying " + directory + " to memory"));
  return image;
}

}  // namespace dolmen::engine
