// A running subscription. It reads a table's streams, delivers their records to a handler, and
// stores its position.

#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "dolmen/result.h"
#include "dolmen/streams.h"
#include "dolmen/subscription.h"
#include "engine/backend.h"
#include "engine/base/mutex.h"
#include "engine/schema/live_table.h"
#include "engine/stream/change_log.h"
#include "engine/stream/record_receiver.h"

namespace dolmen::engine {

// The names of the subscriptions that are running. Callable from any number of threads.
class SubscriberNames {
 public:
  // Adds the name. Returns false if the table has a subscription of this name already.
  bool Add(KeyspaceId table, const std::string& name);
  void Remove(KeyspaceId table, const std::string& name);

 private:
  Mutex mutex_;
  std::set<std::pair<KeyspaceId, std::string>> names_ DOLMEN_GUARDED_BY(mutex_);
};

// The parts of the engine that subscribers use. The context borrows them.
struct SubscriberContext {
  Store& store;
  ChangeLog& changes;
  SubscriberNames& names;
};

// A subscription and its background thread. Contracts: dolmen/subscription.h. Callable from any
// number of threads.
class Subscriber final : public internal::Subscriber {
 public:
  // Contract: Table::Subscribe. The subscriber shares the ownership of `table`. The table keeps the
  // engine alive, and the engine owns the parts in `context`.
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
  Subscriber(const SubscriberContext& context, const TableRef& table,
             std::unique_ptr<internal::RecordReceiver> receiver);

  // Reserves the subscription's name, finds the position at which the subscription resumes, and
  // starts the thread if `input_.in_background` is set.
  Status Start();
  // Sets the position to the stored position. If none is stored, sets and stores the position that
  // `input_.start` describes.
  Status FindPosition(const TableSchema& schema) DOLMEN_REQUIRES(delivery_mutex_);
  // Trims the table's streams. Returns the greatest number of a record that was ever deleted from
  // a stream of the table. The records of deleted streams count.
  Result<SequenceNumber> TrimStreams(const TableSchema& schema) const;
  // Translates `position` into a record number. The subscription continues after that record.
  Result<SequenceNumber> ResolveInTable(const TableSchema& schema,
                                        const StreamPosition& position) const;

  // Delivers the records with numbers less than `end`. Adds to `*count` the number of records that
  // the handler accepted. REQUIRES: the numbers below `end` are visible.
  Status DeliverUntil(SequenceNumber end, std::size_t* count) DOLMEN_REQUIRES(delivery_mutex_);
  // Returns the next page of records, from the oldest stream that has records after the position.
  // The page is empty if all records have been read.
  // - kTrimmedDataAccess: records that were not delivered were trimmed.
  Result<RecordPage> NextPage(const TableSchema& schema) const;
  // Passes the records of a page to the handler, until stop_ is set.
  Status DeliverPage(const std::vector<StreamRecord>& records, std::size_t* count)
      DOLMEN_REQUIRES(delivery_mutex_);
  // Calls the handler if the record passes the filter. Moves the position past the record unless
  // the handler fails.
  Status DeliverRecord(const StreamRecord& record, std::size_t* count)
      DOLMEN_REQUIRES(delivery_mutex_);
  // Stores the position. Does not wait for the disk: a crash may lose the latest position, and the
  // handler then gets some records again.
  Status StorePosition(SequenceNumber position) DOLMEN_REQUIRES(delivery_mutex_);
  void SetStatus(const Status& status);
  // Runs in the thread: delivers records until stop_ is set or the table is deleted.
  void Run();

  const SubscriberContext context_;
  const TableRef table_ref_;      // keeps the engine alive
  const LiveTable* const table_;  // owned by table_ref_
  const KeyspaceId keyspace_;     // the keyspace of the table's rows
  const std::unique_ptr<const internal::RecordReceiver> receiver_;
  const SubscribeInput& input_;  // owned by receiver_
  bool has_name_ = false;        // true once the name is in context_.names

  // Locked while records are delivered, and while Seek() changes the position.
  Mutex delivery_mutex_ DOLMEN_ACQUIRED_BEFORE(status_mutex_);
  std::atomic<SequenceNumber> position_ = 0;  // changes only while delivery_mutex_ is held
  // The position that the store holds.
  SequenceNumber stored_position_ DOLMEN_GUARDED_BY(delivery_mutex_) = 0;

  mutable Mutex status_mutex_;
  Status status_ DOLMEN_GUARDED_BY(status_mutex_);  // the outcome of the latest delivery
  std::atomic<bool> stop_ = false;
  std::atomic<bool> woken_ = false;  // set with stop_, and when the position was moved
  std::thread thread_;
};

// Contract: Table::Unsubscribe.
Status Unsubscribe(const SubscriberContext& context, const LiveTable& table,
                   const std::string& name);

}  // namespace dolmen::engine
