#include "engine/storage/files/memory_files.h"

#include <vector>

#include "dolmen/internal/status_macros.h"
#include "engine/storage/rocks_status.h"

namespace dolmen::engine {

MemoryFiles::MemoryFiles(std::unique_ptr<rocksdb::Env> env)
    : FileSystemWrapper(env->GetFileSystem()), env_(std::move(env)) {}

std::shared_ptr<MemoryFiles> MemoryFiles::Create() {
  std::unique_ptr<rocksdb::Env> env(rocksdb::NewMemEnv(rocksdb::Env::Default()));
  return std::shared_ptr<MemoryFiles>(new MemoryFiles(std::move(env)));
}

rocksdb::IOStatus MemoryFiles::NewWritableFile(const std::string& path,
                                               const rocksdb::FileOptions& options,
                                               std::unique_ptr<rocksdb::FSWritableFile>* file,
                                               rocksdb::IODebugContext* debug) {
  if (path.find("/OPTIONS-") != std::string::npos) {
    return rocksdb::IOStatus::NotSupported("options are not kept in memory");
  }
  return target()->NewWritableFile(path, options, file, debug);
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
