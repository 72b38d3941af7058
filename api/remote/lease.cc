#include "remote/lease.h"

#include <utility>

#include "engine/base/status_macros.h"

namespace dolmen::remote {

Status Lease::InUse() const {
  return Status::ResourceInUse(
      "This subscription does not hold the lease of its name, so another process may deliver the "
      "records: " +
      name_ + ". It takes over when the other process ends, or 30 seconds after that one's death.");
}

Result<LeaseItem> Lease::Take() {
  const MutexLock lock(mutex_);
  if (!held_) return TakeFree();
  const Status renewed = RenewLocked();
  if (renewed.ok()) return *held_;
  if (renewed.code() == StatusCode::kResourceInUse) return TakeFree();
  if (IsHeld()) return *held_;
  return renewed;
}

Result<LeaseItem> Lease::TakeFree() {
  DOLMEN_ASSIGN_OR_RETURN(const std::optional<LeaseItem> stored, store_.ReadLease());
  LeaseItem next = stored.value_or(LeaseItem());
  if (stored && !stored->owner.empty() && stored->owner != owner_) {
    const auto now = service_.SteadyNow();
    if (seen_ != stored) {
      has_seen_renewal_ = seen_.has_value();
      seen_ = stored;
      seen_at_ = now;
    }
    if (now - seen_at_ < std::chrono::milliseconds(stored->millis)) return InUse();
  }
  // If the clocks of the processes agree, the epoch after Unsubscribe is greater than those before it, so
  // their owners delete no position.
  if (!stored) next.epoch = service_.Now().time_since_epoch().count();
  if (next.owner != owner_) ++next.epoch;
  next.owner = owner_;
  ++next.beat;
  next.millis = kLifetime.count();
  DOLMEN_RETURN_IF_ERROR(Write(next, stored));
  seen_.reset();
  return next;
}

Status Lease::Write(const LeaseItem& next, const std::optional<LeaseItem>& before) {
  const auto sent_at = service_.SteadyNow();
  const Status written = store_.WriteLease(next, before);
  if (written.code() == StatusCode::kConditionalCheckFailed) return LoseLocked();
  DOLMEN_RETURN_IF_ERROR(written);
  held_ = next;
  renewed_at_ = sent_at;
  return {};
}

Status Lease::RenewLocked() {
  if (service_.SteadyNow() - renewed_at_.load() < kRenewal) return {};
  LeaseItem next = *held_;
  ++next.beat;
  return Write(next, held_);
}

void Lease::Renew() {
  const MutexLock lock(mutex_);
  if (held_) RenewLocked().IgnoreError();  // the next delivery reports the error
}

Result<LeaseItem> Lease::SetStart(const std::string& start, const std::string& table) {
  const MutexLock lock(mutex_);
  if (!held_) return InUse();
  LeaseItem next = *held_;
  ++next.beat;
  next.start = start;
  next.table = table;
  DOLMEN_RETURN_IF_ERROR(Write(next, held_));
  return next;
}

bool Lease::IsHeld() const {
  const auto renewed_at = renewed_at_.load();
  return renewed_at != kNever && service_.SteadyNow() - renewed_at < kLifetime;
}

Status Lease::Lose() {
  const MutexLock lock(mutex_);
  return LoseLocked();
}

Status Lease::LoseLocked() {
  held_.reset();
  renewed_at_ = kNever;
  return InUse();
}

Status Lease::Release() {
  const MutexLock lock(mutex_);
  if (!held_) return {};
  LeaseItem next = *held_;
  next.owner.clear();
  const Status written = store_.WriteLease(next, held_);
  held_.reset();
  renewed_at_ = kNever;
  return written;
}

}  // namespace dolmen::remote
