// A subscription at work: reads a table's streams, hands over their records, stores its position.

#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>

#include "dolmen/internal/backend.h"
#include "dolmen/result.h"
#include "dolmen/subscription.h"
#include "engine/expression/placeholders.h"
#include "engine/expression/request_expression.h"
#include "engine/schema/live_table.h"
#include "engine/stream/change_log.h"

namespace dolmen::engine {

// The names that are subscribed under.  Callable from any number of threads.
class SubscriberNames {
 public:
  // False: it is there.
  bool Add(KeyspaceId table, const std::string& name);
  void Remove(KeyspaceId table, const std::string& name);

 private:
  std::mutex mutex_;
  std::set<std::pair<KeyspaceId, std::string>> names_;
};

// What subscribers work on.
struct SubscriberContext {
  Store& store;
  ChangeLog& changes;
  SubscriberNames& names;
};

// Contracts: dolmen/subscription.h.
class Subscriber final : public internal::Subscriber {
 public:
  // Contract: Table::Subscribe.  The subscriber keeps `table`, and with it the context's engine.
  static Result<std::unique_ptr<internal::Subscriber>> Make(const SubscriberContext& context,
                                                            const TableRef& table,
                                                            const SubscribeInput& input,
                                                            RecordHandler handler);
  ~Subscriber() override;
  Subscriber(const Subscriber&) = delete;
  Subscriber& operator=(const Subscriber&) = delete;

  Result<std::size_t> Deliver() override;
  Status Seek(const StreamPosition& position) override;
  std::string sequence_number() const override;
  Status status() const override;

 private:
  Subscriber(const SubscriberContext& context, const TableRef& table, const SubscribeInput& input,
             RecordHandler handler);

  // Takes the name and finds the position.
  Status Begin();
  Status BindFilter();
  // Of the table as it is now.
  Result<SequenceNumber> TrimmedOf(const TableSchema& schema) const;
  Result<SequenceNumber> ResolveIn(const TableSchema& schema, const StreamPosition& position) const;

  Status DeliverUntil(SequenceNumber end, std::size_t* count);
  // The next records, of whichever stream has them; none if all have been read.
  Result<RecordPage> NextPage(const TableSchema& schema) const;
  Status HandOver(const StreamRecord& record, std::size_t* count);
  Result<bool> Passes(const StreamRecord& record) const;
  Status CallHandler(const StreamRecord& record) const;
  Status StorePosition(SequenceNumber position);
  void SetStatus(const Status& status);
  void Run();

  const SubscriberContext context_;
  const TableRef handle_;  // keeps the engine
  const LiveTable* const table_;
  const KeyspaceId keyspace_;  // of the table's rows
  const SubscribeInput input_;
  const RecordHandler handler_;
  std::optional<Placeholders> placeholders_;
  RequestFilter filter_;
  bool has_name_ = false;

  std::mutex delivering_;
  std::atomic<SequenceNumber> position_ = 0;  // changed while delivering_ is held
  SequenceNumber stored_ = 0;                 // the position in the store

  mutable std::mutex status_mutex_;
  Status status_;
  std::atomic<bool> stop_ = false;
  std::atomic<bool> woken_ = false;  // to stop, or to go on from another position
  std::thread thread_;
};

// Contract: Table::Unsubscribe.
Status Unsubscribe(const SubscriberContext& context, const LiveTable& table,
                   const std::string& name);

}  // namespace dolmen::engine
