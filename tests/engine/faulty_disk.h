// A disk for tests. The test decides whether reads and writes fail, and how much space is free.

#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "engine/base/status_macros.h"
#include "engine/storage/files/directory.h"
#include "engine/storage/store.h"
#include "tests/support/encrypted_run.h"
#include "tests/support/intercepted_disk.h"

namespace dolmen::engine {

// The faults of a disk, which its files share. A test may change them at any time.
struct DiskFaults {
  std::atomic<bool> reads_fail = false;   // reads of table files
  std::atomic<bool> writes_fail = false;  // appends to files
  std::atomic<std::uint64_t> free_bytes = std::uint64_t{1} << 40;
  std::atomic<int> log_syncs = 0;  // the number of times that a log was synced
  // Called before each read of a table file, by the thread that reads.
  std::function<void()> before_read = nullptr;
};

// The operating system's file system, with faults.
class FaultyDisk : public test::InterceptedDisk {
 public:
  explicit FaultyDisk(std::shared_ptr<DiskFaults> faults) : faults_(std::move(faults)) {}

  rocksdb::IOStatus Intercept(const test::DiskCall& call,
                              const test::PerformCall& perform) override {
    using Kind = test::DiskCall::Kind;
    bool fails = call.kind == Kind::kWrite && faults_->writes_fail;
    if (call.kind == Kind::kRead && call.path.ends_with(".sst")) {
      if (faults_->before_read) faults_->before_read();
      fails = faults_->reads_fail;
    }
    if (fails) return rocksdb::IOStatus::IOError("Input/output error");
    if (call.kind == Kind::kSync && call.path.ends_with(".log")) ++faults_->log_syncs;
    return perform(call.bytes);
  }

  rocksdb::IOStatus GetFreeSpace(const std::string&, const rocksdb::IOOptions&, std::uint64_t* free,
                                 rocksdb::IODebugContext*) override {
    *free = faults_->free_bytes;
    return rocksdb::IOStatus::OK();
  }

 private:
  const std::shared_ptr<DiskFaults> faults_;
};

// Prepares the directory of a store on the disk, as Engine::Open does, and opens the store.
inline Result<std::unique_ptr<Store>> OpenPrepared(StoreOptions options) {
  if (!options.in_memory) {
    options.encryption_key = test::KeyInThisRun(options.directory, options.encryption_key);
    DOLMEN_RETURN_IF_ERROR(
        PrepareDirectory(options.directory, !options.read_only, options.encryption_key));
  }
  return Store::Open(options);
}

}  // namespace dolmen::engine
