// A disk on which one call fails, or all calls of one kind from a certain call on.

#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <optional>
#include <string>

#include "tests/support/intercepted_disk.h"

namespace dolmen::test {

// A fault of a disk.
struct DiskFault {
  DiskCall::Kind kind = DiskCall::Kind::kWrite;
  std::size_t number = 1;  // the first call of the kind that fails, from 1
  bool for_good = false;   // all later calls of the kind fail, too
  bool is_full = false;    // the error is "No space left on device", otherwise "Input/output error"
  // The failing call has an effect: a write appends the first half of its bytes, and every other
  // call does all of its work before it returns the error.
  bool has_effect = false;
};

inline std::string ToString(const DiskFault& fault) {
  return std::string(DiskCall::NameOf(fault.kind)) + " " + std::to_string(fault.number) +
         (fault.is_full ? " fails with ENOSPC" : " fails with EIO") +
         (fault.has_effect ? " after an effect" : "") + (fault.for_good ? ", for good" : ", once");
}

// The operating system's file system with at most one DiskFault. A sync does nothing, so that tests
// are fast.
class FailingDisk : public InterceptedDisk {
 public:
  explicit FailingDisk(const std::optional<DiskFault>& fault = {}) : fault_(fault) {}

  // Returns the number of calls of a kind so far.
  std::size_t Count(DiskCall::Kind kind) const { return CountOf(kind); }
  // Returns true if the fault has occurred.
  bool HasFailed() const { return fault_ && Count(fault_->kind) >= fault_->number; }

  rocksdb::IOStatus Intercept(const DiskCall& call, const PerformCall& perform) override {
    const std::size_t number = ++CountOf(call.kind);
    const bool fails = fault_ && call.kind == fault_->kind && number >= fault_->number &&
                       (fault_->for_good || number == fault_->number);
    if (!fails &&
        (call.kind == DiskCall::Kind::kSync || call.kind == DiskCall::Kind::kSyncDirectory)) {
      return rocksdb::IOStatus::OK();
    }
    if (!fails) return perform(call.bytes);
    // A file stays open if its close is not executed.
    if (fault_->has_effect || call.kind == DiskCall::Kind::kClose) {
      perform(call.bytes / 2).PermitUncheckedError();
    }
    return fault_->is_full ? rocksdb::IOStatus::NoSpace("No space left on device")
                           : rocksdb::IOStatus::IOError("Input/output error");
  }

 private:
  std::atomic<std::size_t>& CountOf(DiskCall::Kind kind) {
    return counts_.at(static_cast<std::size_t>(kind));
  }
  const std::atomic<std::size_t>& CountOf(DiskCall::Kind kind) const {
    return counts_.at(static_cast<std::size_t>(kind));
  }

  const std::optional<DiskFault> fault_;
  std::array<std::atomic<std::size_t>, DiskCall::kKinds> counts_ = {};
};

}  // namespace dolmen::test
