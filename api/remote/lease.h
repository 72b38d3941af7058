// The lease of a subscription: it lets one process at a time deliver.

#pragma once

#include <atomic>
#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include "dolmen/result.h"
#include "dolmen/uuid.h"
#include "engine/base/mutex.h"
#include "remote/service.h"
#include "remote/subscription_store.h"

namespace dolmen::remote {

// The owner renews its lease. Another process takes the lease after it has seen no renewal for the time
// that the lease states. Each process measures this time by its own steady clock, so the clocks of the
// processes may differ. Thread-safe.
class Lease {
 public:
  static constexpr std::chrono::milliseconds kLifetime = std::chrono::seconds(30);
  static constexpr std::chrono::milliseconds kRenewal = std::chrono::seconds(10);

  // Borrows both. `name` is that of the subscription, for messages.
  Lease(const Service& service, const SubscriptionStore& store, std::string name)
      : service_(service), store_(store), name_(std::move(name)) {}

  // Takes the lease if it is free, ended or expired, or renews it if that is due. Returns the lease.
  // - kResourceInUse: another process has the lease.
  // - an error of the request; the lease may be taken nevertheless, which the next call finds out.
  Result<LeaseItem> Take();
  // Renews the lease if it is held and a renewal is due.
  void Renew();
  // Changes the start and the table of the held lease. Returns the changed lease.
  // - kResourceInUse: another process has taken the lease.
  Result<LeaseItem> SetStart(const std::string& start, const std::string& table);

  // Returns true if no other process can have the lease at this time.
  bool IsHeld() const;
  // Returns true if another process has renewed the lease since the first call of Take.
  bool has_seen_renewal() const { return has_seen_renewal_; }
  // Returns the error of a subscription without the lease: kResourceInUse.
  Status InUse() const;
  // Ends the lease because another process has taken it. Returns kResourceInUse.
  Status Lose();
  // Frees the lease for other processes. Does nothing if it is not held.
  Status Release();

 private:
  Result<LeaseItem> TakeFree() DOLMEN_REQUIRES(mutex_);
  // Writes the lease in place of `before` and holds it.
  Status Write(const LeaseItem& next, const std::optional<LeaseItem>& before)
      DOLMEN_REQUIRES(mutex_);
  Status RenewLocked() DOLMEN_REQUIRES(mutex_);
  Status LoseLocked() DOLMEN_REQUIRES(mutex_);

  static constexpr auto kNever = std::chrono::steady_clock::time_point::min();

  const Service& service_;
  const SubscriptionStore& store_;
  const std::string name_;
  const std::string owner_ = NewUuid();

  Mutex mutex_;
  std::optional<LeaseItem> held_ DOLMEN_GUARDED_BY(mutex_);
  // The lease of another process, and the time at which it was first seen in this state.
  std::optional<LeaseItem> seen_ DOLMEN_GUARDED_BY(mutex_);
  std::chrono::steady_clock::time_point seen_at_ DOLMEN_GUARDED_BY(mutex_);
  std::atomic<bool> has_seen_renewal_ = false;
  // The time at which the last renewal was sent; the least time if the lease is not held.
  std::atomic<std::chrono::steady_clock::time_point> renewed_at_ = kNever;
};

}  // namespace dolmen::remote
