// The files of a damaged database, which a repair reads until its caller ends it.

#pragma once

#include <rocksdb/file_system.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace dolmen::engine {

// A file system whose reads ask a function whether the repair goes on. A damaged file can be of any
// size, and a search for blocks in it takes long. After the end every read fails. Not thread-safe.
class RepairFiles : public rocksdb::FileSystemWrapper {
 public:
  // `base` reads the files. Without `goes_on` the repair never ends early.
  RepairFiles(const std::shared_ptr<rocksdb::FileSystem>& base, std::function<bool()> goes_on)
      : FileSystemWrapper(base), goes_on_(std::move(goes_on)) {}

  // Asks whether the repair goes on.
  bool GoesOn() {
    ended_ = ended_ || (goes_on_ && !goes_on_());
    return !ended_;
  }
  // Returns true if an answer has ended the repair.
  bool ended() const { return ended_; }

  const char* Name() const override { return "DolmenRepairFiles"; }
  rocksdb::IOStatus NewSequentialFile(const std::string& path, const rocksdb::FileOptions& options,
                                      std::unique_ptr<rocksdb::FSSequentialFile>* file,
                                      rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus NewRandomAccessFile(const std::string& path,
                                        const rocksdb::FileOptions& options,
                                        std::unique_ptr<rocksdb::FSRandomAccessFile>* file,
                                        rocksdb::IODebugContext* debug) override;

 private:
  const std::function<bool()> goes_on_;
  bool ended_ = false;
};

}  // namespace dolmen::engine
