#include "engine/repair/repair_files.h"

namespace dolmen::engine {
namespace {

using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;

IOStatus Ended() { return IOStatus::Aborted("the repair was ended"); }

class EndedSequentialFile : public rocksdb::FSSequentialFileOwnerWrapper {
 public:
  EndedSequentialFile(std::unique_ptr<rocksdb::FSSequentialFile> file, RepairFiles* files)
      : FSSequentialFileOwnerWrapper(std::move(file)), files_(files) {}

  IOStatus Read(std::size_t size, const IOOptions& options, rocksdb::Slice* result, char* scratch,
                IODebugContext* debug) override {
    if (!files_->GoesOn()) return Ended();
    return FSSequentialFileOwnerWrapper::Read(size, options, result, scratch, debug);
  }

 private:
  RepairFiles* const files_;
};

}  // namespace

IOStatus RepairFiles::NewSequentialFile(const std::string& path,
                                        const rocksdb::FileOptions& options,
                                        std::unique_ptr<rocksdb::FSSequentialFile>* file,
                                        IODebugContext* debug) {
  IOStatus opened = target()->NewSequentialFile(path, options, file, debug);
  if (opened.ok()) *file = std::make_unique<EndedSequentialFile>(std::move(*file), this);
  return opened;
}

// A repair opens a table file for each read.
IOStatus RepairFiles::NewRandomAccessFile(const std::string& path,
                                          const rocksdb::FileOptions& options,
                                          std::unique_ptr<rocksdb::FSRandomAccessFile>* file,
                                          IODebugContext* debug) {
  return GoesOn() ? target()->NewRandomAccessFile(path, options, file, debug) : Ended();
}

}  // namespace dolmen::engine
