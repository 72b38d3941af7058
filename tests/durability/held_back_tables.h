// A file system that delays RocksDB's table files, so that a database keeps more than one log.

#pragma once

#include <future>

#include "tests/support/intercepted_disk.h"

namespace dolmen::engine {

// A file system that creates table files at once until HoldBack(). From then on a creation waits
// for Release() or Refuse(). The logs of the data that the table files would hold remain meanwhile.
class HeldBackTables : public test::InterceptedDisk {
 public:
  // REQUIRES: RocksDB creates no table file during the call.
  void HoldBack() { wait_ = decision_.get_future().share(); }
  // Lets RocksDB create the table files.
  void Release() { decision_.set_value(true); }
  // Lets the creation of each table file fail.
  void Refuse() { decision_.set_value(false); }

  rocksdb::IOStatus Intercept(const test::DiskCall& call,
                              const test::PerformCall& perform) override {
    const bool waits = call.kind == test::DiskCall::Kind::kCreate && call.path.ends_with(".sst");
    if (waits && wait_.valid() && !wait_.get()) {
      return rocksdb::IOStatus::IOError("no table file may be created");
    }
    return perform(call.bytes);
  }

 private:
  std::promise<bool> decision_;
  std::shared_future<bool> wait_;
};

}  // namespace dolmen::engine
