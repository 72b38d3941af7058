// A subscription to the streams of a remote table.

#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <utility>

#include "dolmen/connect_options.h"
#include "dolmen/result.h"
#include "dolmen/subscription.h"
#include "engine/backend.h"
#include "engine/base/mutex.h"
#include "engine/stream/record_receiver.h"
#include "remote/lease.h"
#include "remote/service.h"
#include "remote/shard_reader.h"
#include "remote/subscription_store.h"
#include "remote/tables.h"

namespace dolmen::remote {

// The names of the subscriptions that are running in this process. Thread-safe.
class SubscriptionNames {
 public:
  // Adds the name. Returns false if the table has a subscription of this name already.
  bool Add(const std::string& table, const std::string& name) {
    const MutexLock lock(mutex_);
    return names_.emplace(table, name).second;
  }
  void Remove(const std::string& table, const std::string& name) {
    const MutexLock lock(mutex_);
    names_.erase({table, name});
  }

 private:
  Mutex mutex_;
  std::set<std::pair<std::string, std::string>> names_ DOLMEN_GUARDED_BY(mutex_);
};

// The settings that all subscriptions of a database share.
struct SubscriptionOptions {
  std::string table = ConnectOptions().subscriptions_table;  // holds the positions
  std::chrono::milliseconds poll_pause{200};  // between two requests for records of one shard
};

// The parts of the backend that subscribers use. The context borrows them.
struct SubscriberContext {
  const Service& service;
  Tables& tables;
  SubscriptionNames& names;
  const SubscriptionOptions& options;
};

// A subscription with two threads: one delivers records if the subscription is in the background, and one
// renews the lease. Contracts: dolmen/subscription.h. Thread-safe.
class Subscriber final : public internal::Subscriber {
 public:
  // Contract: Table::Subscribe. Succeeds if another process delivers for the name. The subscriber keeps
  // the backend alive, which owns the parts in `context`.
  static Result<std::unique_ptr<internal::Subscriber>> Create(
      const SubscriberContext& context, const TableRef& table, const SubscribeInput& input,
      internal::SubscriptionHandler handler);
  ~Subscriber() override;
  Subscriber(const Subscriber&) = delete;
  Subscriber& operator=(const Subscriber&) = delete;

  Result<std::size_t> Deliver() override;
  Status Seek(const StreamPosition& position) override;
  std::string sequence_number() const override;
  Status status() const override;

 private:
  using Extent = ShardReader::Extent;
  using SteadyTime = std::chrono::steady_clock::time_point;

  Subscriber(const SubscriberContext& context, const TableRef& table, TableIdentity identity,
             std::unique_ptr<internal::RecordReceiver> receiver,
             std::shared_ptr<const RemoteTable> state);

  Status Start();
  // Delivers records and notes the outcome.
  Status DeliverAndNote(Extent extent, std::size_t* count) DOLMEN_REQUIRES(delivery_mutex_);
  Status DeliverRecords(Extent extent, std::size_t* count) DOLMEN_REQUIRES(delivery_mutex_);
  // Takes or renews the lease. Loads the positions after it was taken.
  Status Own() DOLMEN_REQUIRES(delivery_mutex_);
  Status LoadPositions() DOLMEN_REQUIRES(delivery_mutex_);
  // Moves to the position, and stores it.
  Status MoveTo(const StreamPosition& position) DOLMEN_REQUIRES(delivery_mutex_);
  // Passes the fetched pages to the handler. Adds the number of records that it got to `*count`.
  Status DeliverPages(std::size_t* count) DOLMEN_REQUIRES(delivery_mutex_);
  Status DeliverPage(const ShardPage& page, std::size_t* count) DOLMEN_REQUIRES(delivery_mutex_);
  // Passes all records of a page to a handler of pages.
  Status DeliverAtOnce(const ShardPage& page, std::size_t* count) DOLMEN_REQUIRES(delivery_mutex_);
  // Stores the changed positions. Iterators change with each request, so they are stored less often.
  Status StorePositions() DOLMEN_REQUIRES(delivery_mutex_);
  void SetStatus(const Status& status);
  void SetNumber(const std::string& sequence_number);

  // Run in the threads until the subscription ends.
  void RunDelivery();
  void RunLease();
  // Waits until the time, the end of the subscription, or Seek. Returns false if it has ended.
  bool WaitUntil(SteadyTime time, bool wakes_for_seek);

  const SubscriberContext context_;
  const TableRef table_ref_;  // keeps the backend alive
  const std::string table_;
  const TableIdentity identity_;
  const std::unique_ptr<const internal::RecordReceiver> receiver_;
  const SubscribeInput& input_;  // owned by receiver_
  const SubscriptionStore store_;
  Lease lease_;
  bool has_name_ = false;  // true once the name is in context_.names

  // Locked while records are delivered, and while Seek() changes the position.
  Mutex delivery_mutex_ DOLMEN_ACQUIRED_BEFORE(status_mutex_);
  ShardReader reader_ DOLMEN_GUARDED_BY(delivery_mutex_);
  LeaseItem loaded_
      DOLMEN_GUARDED_BY(delivery_mutex_);  // the lease for which positions were loaded
  SteadyTime stored_at_ DOLMEN_GUARDED_BY(delivery_mutex_) = {};
  SteadyTime iterators_stored_at_ DOLMEN_GUARDED_BY(delivery_mutex_) = {};

  mutable Mutex status_mutex_;
  Status status_ DOLMEN_GUARDED_BY(status_mutex_);
  std::string sequence_number_ DOLMEN_GUARDED_BY(status_mutex_);
  std::atomic<bool> is_deleted_ = false;  // the table

  Mutex wake_mutex_;
  ConditionVariable wake_;
  bool has_sought_ DOLMEN_GUARDED_BY(wake_mutex_) = false;
  std::atomic<bool> stop_ = false;  // set while wake_mutex_ is held
  std::thread delivery_thread_;
  std::thread lease_thread_;
};

// Contract: Table::Unsubscribe. Waits up to 30 seconds to see if another process delivers.
Status Unsubscribe(const SubscriberContext& context, const TableRef& table,
                   const std::string& name);

}  // namespace dolmen::remote
