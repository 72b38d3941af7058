// A file system that delays RocksDB's table files, so that a database keeps more than one log.

#pragma once

#include <rocksdb/file_system.h>

#include <future>
#include <memory>
#include <string>

namespace dolmen::engine {

// A file system that creates table files at once until HoldBack(). From then on a creation waits
// for Release() or Refuse(). The logs of the data that the table files would hold remain meanwhile.
class HeldBackTables : public rocksdb::FileSystemWrapper {
 public:
  HeldBackTables() : FileSystemWrapper(rocksdb::FileSystem::Default()) {}
  ~HeldBackTables() override = default;

  // REQUIRES: RocksDB creates no table file during the call.
  void HoldBack() { wait_ = decision_.get_future().share(); }
  // Lets RocksDB create the table files.
  void Release() { decision_.set_value(true); }
  // Lets the creation of each table file fail.
  void Refuse() { decision_.set_value(false); }

  const char* Name() const override { return "HeldBackTables"; }
  rocksdb::IOStatus NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                    std::unique_ptr<rocksdb::FSWritableFile>* file,
                                    rocksdb::IODebugContext* debug) override {
    if (wait_.valid() && path.ends_with(".sst") && !wait_.get()) {
      return rocksdb::IOStatus::IOError("no table file may be created");
    }
    return FileSystemWrapper::NewWritableFile(path, options, file, debug);
  }

 private:
  std::promise<bool> decision_;
  std::shared_future<bool> wait_;
};

}  // namespace dolmen::engine
