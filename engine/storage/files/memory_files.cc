#include "engine/storage/files/memory_files.h"

#include <utility>
#include <vector>

#include "engine/base/status_macros.h"
#include "engine/storage/rocks_status.h"
#include "engine/storage/rocks_versions.h"

namespace dolmen::engine {

using rocksdb::FileOptions;
using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;

MemoryFiles::MemoryFiles(std::unique_ptr<rocksdb::Env> env)
    : FileSystemWrapper(env->GetFileSystem()), env_(std::move(env)) {}

std::shared_ptr<MemoryFiles> MemoryFiles::Create() {
  std::unique_ptr<rocksdb::Env> env(rocksdb::NewMemEnv(rocksdb::Env::Default()));
  return std::shared_ptr<MemoryFiles>(new MemoryFiles(std::move(env)));
}

std::shared_ptr<TableBytes> MemoryFiles::Table(const std::string& path) {
  const MutexLock lock(mutex_);
  const auto found = tables_.find(path);
  return found == tables_.end() ? nullptr : found->second;
}

void MemoryFiles::SetTable(const std::string& path, std::shared_ptr<TableBytes> table) {
  std::shared_ptr<TableBytes> former;  // freed after the lock has ended
  const MutexLock lock(mutex_);
  if (table != nullptr) {
    former = std::exchange(tables_[path], std::move(table));
  } else if (const auto found = tables_.find(path); found != tables_.end()) {
    former = std::move(found->second);
    tables_.erase(found);
  }
}

IOStatus MemoryFiles::NewWritableFile(const std::string& path, const FileOptions& options,
                                      std::unique_ptr<rocksdb::FSWritableFile>* file,
                                      IODebugContext* debug) {
  if (!kNeedsOptionsFile && path.find("/OPTIONS-") != std::string::npos) {
    return IOStatus::NotSupported("options are not kept in memory");
  }
  IOStatus status = target()->NewWritableFile(path, options, file, debug);
  if (!status.ok() || !path.ends_with(".sst")) return status;
  auto table = std::make_shared<TableBytes>();
  SetTable(path, table);
  *file = TableBytes::Writer(std::move(table));
  return status;
}

IOStatus MemoryFiles::NewRandomAccessFile(const std::string& path, const FileOptions& options,
                                          std::unique_ptr<rocksdb::FSRandomAccessFile>* file,
                                          IODebugContext* debug) {
  std::shared_ptr<const TableBytes> table = Table(path);
  if (table == nullptr) return target()->NewRandomAccessFile(path, options, file, debug);
  *file = TableBytes::Reader(std::move(table));
  return IOStatus::OK();
}

IOStatus MemoryFiles::NewSequentialFile(const std::string& path, const FileOptions& options,
                                        std::unique_ptr<rocksdb::FSSequentialFile>* file,
                                        IODebugContext* debug) {
  std::shared_ptr<const TableBytes> table = Table(path);
  if (table == nullptr) return target()->NewSequentialFile(path, options, file, debug);
  *file = TableBytes::SequentialReader(std::move(table));
  return IOStatus::OK();
}

IOStatus MemoryFiles::GetFileSize(const std::string& path, const IOOptions& options,
                                  std::uint64_t* size, IODebugContext* debug) {
  const std::shared_ptr<const TableBytes> table = Table(path);
  if (table == nullptr) return target()->GetFileSize(path, options, size, debug);
  *size = table->size_bytes();
  return IOStatus::OK();
}

IOStatus MemoryFiles::GetChildrenFileAttributes(const std::string& directory,
                                                const IOOptions& options,
                                                std::vector<rocksdb::FileAttributes>* files,
                                                IODebugContext* debug) {
  // The base class calls GetFileSize of this class.
  return FileSystem::GetChildrenFileAttributes(directory, options, files, debug);
}

IOStatus MemoryFiles::LinkFile(const std::string& from, const std::string& to,
                               const IOOptions& options, IODebugContext* debug) {
  std::shared_ptr<TableBytes> table = Table(from);
  IOStatus status = target()->LinkFile(from, to, options, debug);
  if (status.ok()) SetTable(to, std::move(table));
  return status;
}

IOStatus MemoryFiles::RenameFile(const std::string& from, const std::string& to,
                                 const IOOptions& options, IODebugContext* debug) {
  std::shared_ptr<TableBytes> table = Table(from);
  IOStatus status = target()->RenameFile(from, to, options, debug);
  if (!status.ok()) return status;
  SetTable(to, std::move(table));
  SetTable(from, nullptr);
  return status;
}

IOStatus MemoryFiles::DeleteFile(const std::string& path, const IOOptions& options,
                                 IODebugContext* debug) {
  IOStatus status = target()->DeleteFile(path, options, debug);
  if (status.ok()) SetTable(path, nullptr);
  return status;
}

MemoryDirectory::MemoryDirectory(std::shared_ptr<MemoryFiles> files)
    : files_(std::move(files)), path_(files_->NextDirectory()) {
  files_->CreateDirIfMissing(path_, {}, nullptr).PermitUncheckedError();  // cannot fail in memory
}

MemoryDirectory::~MemoryDirectory() {
  std::vector<std::string> names;
  files_->GetChildren(path_, {}, &names, nullptr).PermitUncheckedError();
  for (const std::string& name : names) {
    files_->DeleteFile(path_ + "/" + name, {}, nullptr).PermitUncheckedError();
  }
  files_->DeleteDir(path_, {}, nullptr).PermitUncheckedError();
}

Result<std::shared_ptr<MemoryDirectory>> MemoryDirectory::Link() const {
  auto linked = std::make_shared<MemoryDirectory>(files_);
  std::vector<std::string> names;
  DOLMEN_RETURN_IF_ERROR(FromRocks(files_->GetChildren(path_, {}, &names, nullptr), "forking"));
  for (const std::string& name : names) {
    const rocksdb::IOStatus status =
        files_->LinkFile(path_ + "/" + name, linked->path() + "/" + name, {}, nullptr);
    DOLMEN_RETURN_IF_ERROR(FromRocks(status, "forking"));
  }
  return linked;
}

}  // namespace dolmen::engine
