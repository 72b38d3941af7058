#include "engine/storage/backup/copy_target.h"

#include <algorithm>
#include <utility>

#include "engine/storage/files/owner_only.h"

namespace dolmen::engine {
namespace {

using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;

class MeteredFile : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  MeteredFile(std::unique_ptr<rocksdb::FSWritableFile> file, std::shared_ptr<CopyMeter> meter)
      : FSWritableFileOwnerWrapper(std::move(file)), meter_(std::move(meter)) {}

  IOStatus Append(const rocksdb::Slice& data, const IOOptions& options,
                  IODebugContext* debug) override {
    IOStatus written = FSWritableFileOwnerWrapper::Append(data, options, debug);
    return written.ok() ? meter_->Count(data.size()) : written;
  }
  IOStatus Append(const rocksdb::Slice& data, const IOOptions& options,
                  const rocksdb::DataVerificationInfo&, IODebugContext* debug) override {
    return Append(data, options, debug);
  }

 private:
  const std::shared_ptr<CopyMeter> meter_;
};

}  // namespace

IOStatus CopyMeter::Count(std::uint64_t bytes) {
  const std::uint64_t copied = bytes_copied_ += bytes;
  if (!handler_ || ended_) return ended_ ? IOStatus::Aborted("ended") : IOStatus::OK();
  const double expected = static_cast<double>(std::max(bytes_expected_, std::uint64_t{1}));
  const double fraction = std::min(1.0, static_cast<double>(copied) / expected);
  ended_ = !handler_({.bytes_copied = copied, .fraction = fraction});
  return ended_ ? IOStatus::Aborted("ended") : IOStatus::OK();
}

void CopyMeter::Finish() {
  if (handler_ && !ended_) handler_({.bytes_copied = bytes_copied_, .fraction = 1});
}

IOStatus CopyTarget::NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                     std::unique_ptr<rocksdb::FSWritableFile>* file,
                                     IODebugContext* debug) {
  IOStatus made = target()->NewWritableFile(path, options, file, debug);
  if (!made.ok()) return made;
  RestrictFileToOwner(path);
  *file = std::make_unique<MeteredFile>(std::move(*file), meter_);
  return made;
}

IOStatus CopyTarget::CreateDir(const std::string& path, const IOOptions& options,
                               IODebugContext* debug) {
  IOStatus made = target()->CreateDir(path, options, debug);
  if (made.ok()) RestrictDirectoryToOwner(path);
  return made;
}

// Leaves the permissions of an existing directory as they are.
IOStatus CopyTarget::CreateDirIfMissing(const std::string& path, const IOOptions& options,
                                        IODebugContext* debug) {
  if (target()->FileExists(path, options, debug).ok()) return IOStatus::OK();
  return CreateDir(path, options, debug);
}

}  // namespace dolmen::engine
