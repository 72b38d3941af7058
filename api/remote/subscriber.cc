#include "remote/subscriber.h"

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "engine/base/start_thread.h"
#include "engine/base/status_macros.h"

namespace dolmen::remote {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

// The pauses between two writes of positions: while a handler works on one page, and for iterators.
constexpr std::chrono::seconds kStorePause{5};
constexpr std::chrono::seconds kIteratorPause{60};

// The most records that a handler of pages gets at once: eight batches of 25 items.
constexpr std::size_t kPartRecords = 200;

constexpr const char* kThreadPurpose = "of a subscription";

// A pause in the range that the contract of SubscribeInput::retry_after names.
milliseconds ClampPause(milliseconds wanted) {
  return std::clamp<milliseconds>(wanted, milliseconds(1), std::chrono::days(365));
}

Status CheckStateTable(const std::string& state, const std::string& table) {
  if (state != table) return {};
  return Status::Validation(
      "The table " + table +
      " holds the positions of subscriptions, so a subscription to it would deliver its own "
      "writes. Choose another table with ConnectOptions::subscriptions_table.");
}

// Writes the positions of the shards, side by side.
Status WritePositions(const SubscriptionStore& store, const LeaseItem& lease,
                      const ShardTracker& tracker, const std::vector<ShardName>& shards) {
  std::vector<Status> written(shards.size());
  InParallel(shards.size(), [&](std::size_t i) {
    written[i] = store.WritePosition(lease, shards[i], tracker.position(shards[i]));
  });
  for (const Status& one : written) DOLMEN_RETURN_IF_ERROR(one);
  return {};
}

}  // namespace

Subscriber::Subscriber(const SubscriberContext& context, const TableRef& table,
                       TableIdentity identity, std::unique_ptr<internal::RecordReceiver> receiver,
                       std::shared_ptr<const RemoteTable> state)
    : context_(context),
      table_ref_(table),
      table_(table.name()),
      identity_(std::move(identity)),
      receiver_(std::move(receiver)),
      input_(receiver_->input()),
      store_(context.service, std::move(state), table_, input_.name),
      lease_(context.service, store_, input_.name),
      reader_(context.service, context.tables, table_, identity_) {}

Result<std::unique_ptr<internal::Subscriber>> Subscriber::Create(
    const SubscriberContext& context, const TableRef& table, const SubscribeInput& input,
    internal::SubscriptionHandler handler) {
  DOLMEN_ASSIGN_OR_RETURN(auto receiver, internal::RecordReceiver::Make(input, std::move(handler)));
  DOLMEN_RETURN_IF_ERROR(CheckStateTable(context.options.table, table.name()));
  DOLMEN_ASSIGN_OR_RETURN(TableIdentity identity, context.tables.Identify(table.name()));
  DOLMEN_ASSIGN_OR_RETURN(const auto& streams,
                          DescribeStreams(context.service, context.tables, table.name(), identity));
  if (streams.empty()) return internal::NoStream(table.name());
  DOLMEN_ASSIGN_OR_RETURN(
      std::shared_ptr<const RemoteTable> state,
      SubscriptionStore::OpenTable(context.tables, context.options.table, true));
  std::unique_ptr<Subscriber> subscriber(
      new Subscriber(context, table, std::move(identity), std::move(receiver), std::move(state)));
  DOLMEN_RETURN_IF_ERROR(subscriber->Start());
  return std::unique_ptr<internal::Subscriber>(std::move(subscriber));
}

Status Subscriber::Start() {
  has_name_ = context_.names.Add(table_, input_.name);
  if (!has_name_) return internal::SubscriptionIsRunning(input_.name);
  {
    const MutexLock lock(delivery_mutex_);
    const Status owned = Own();
    SetStatus(owned);
    DOLMEN_RETURN_IF_ERROR(owned.Ignoring(StatusCode::kResourceInUse));
  }
  DOLMEN_RETURN_IF_ERROR(engine::StartThread(
      kThreadPurpose, [this] { RunLease(); }, &lease_thread_));
  if (!input_.in_background) return {};
  return engine::StartThread(
      kThreadPurpose, [this] { RunDelivery(); }, &delivery_thread_);
}

Subscriber::~Subscriber() {
  {
    const MutexLock lock(wake_mutex_);
    stop_ = true;
    wake_.NotifyAll();
  }
  if (delivery_thread_.joinable()) delivery_thread_.join();
  if (lease_thread_.joinable()) lease_thread_.join();
  {
    const MutexLock lock(delivery_mutex_);
    iterators_stored_at_ = {};
    if (lease_.IsHeld()) StorePositions().IgnoreError();
  }
  lease_.Release().IgnoreError();  // the lease expires
  if (has_name_) context_.names.Remove(table_, input_.name);
}

Result<std::size_t> Subscriber::Deliver() {
  const MutexLock lock(delivery_mutex_);
  std::size_t count = 0;
  DOLMEN_RETURN_IF_ERROR(DeliverAndNote(Extent::kToTip, &count));
  return count;
}

Status Subscriber::Seek(const StreamPosition& position) {
  const MutexLock lock(delivery_mutex_);
  DOLMEN_RETURN_IF_ERROR(Own());
  if (status().code() == StatusCode::kResourceInUse) SetStatus({});
  DOLMEN_RETURN_IF_ERROR(MoveTo(position));
  const MutexLock wake_lock(wake_mutex_);
  has_sought_ = true;
  wake_.NotifyAll();
  return {};
}

std::string Subscriber::sequence_number() const {
  const MutexLock lock(status_mutex_);
  return sequence_number_;
}

Status Subscriber::status() const {
  const MutexLock lock(status_mutex_);
  return status_.ok() && !lease_.IsHeld() ? lease_.InUse() : status_;
}

void Subscriber::SetStatus(const Status& status) {
  const MutexLock lock(status_mutex_);
  status_ = status;
}

void Subscriber::SetNumber(const std::string& sequence_number) {
  const MutexLock lock(status_mutex_);
  sequence_number_ = sequence_number;
}

Status Subscriber::DeliverAndNote(Extent extent, std::size_t* count) {
  const Status delivered = DeliverRecords(extent, count);
  SetStatus(delivered);
  return delivered;
}

Status Subscriber::DeliverRecords(Extent extent, std::size_t* count) {
  for (;;) {
    DOLMEN_RETURN_IF_ERROR(Own());
    // After a failed write, the positions must be stored before records that follow them are delivered.
    DOLMEN_RETURN_IF_ERROR(StorePositions());
    const Result<bool> fetched = reader_.Fetch(extent);
    const Status delivered = DeliverPages(count);
    if (!reader_.pages().empty()) reader_.Rewind();
    DOLMEN_RETURN_IF_ERROR(delivered);
    if (fetched.status().code() == StatusCode::kResourceNotFound) is_deleted_ = true;
    if (!fetched.ok()) return fetched.status();
    if (*fetched || extent == Extent::kOnePage || stop_) return {};
  }
}

Status Subscriber::Own() {
  DOLMEN_ASSIGN_OR_RETURN(const LeaseItem lease, lease_.Take());
  // After Unsubscribe, a process whose clock is behind may choose the same epoch.
  if (lease.epoch == loaded_.epoch && lease.start == loaded_.start &&
      lease.table == loaded_.table) {
    return {};
  }
  loaded_ = lease;
  const Status loaded = LoadPositions();
  if (!loaded.ok()) loaded_ = {};
  return loaded;
}

Status Subscriber::LoadPositions() {
  if (loaded_.start.empty() || loaded_.table != identity_.id) return MoveTo(input_.start);
  DOLMEN_ASSIGN_OR_RETURN(const auto& positions, store_.ReadPositions(loaded_.start));
  std::string last;
  for (const auto& [shard, position] : positions) {
    const bool has_number = position.kind == ShardPosition::Kind::kAfter;
    if (has_number && IsLessNumber(last, position.text)) last = position.text;
  }
  SetNumber(last);
  reader_.SetTracker(ShardTracker(positions), false);
  // A process that has died may have left positions of another start.
  store_.DeleteOtherStarts(loaded_).IgnoreError();
  return {};
}

Status Subscriber::MoveTo(const StreamPosition& position) {
  DOLMEN_ASSIGN_OR_RETURN(ShardTracker tracker, reader_.FindStart(position));
  LeaseItem next = loaded_;
  next.start = NewUuid();
  DOLMEN_RETURN_IF_ERROR(WritePositions(store_, next, tracker, tracker.Names()));
  for (const ShardName& shard : tracker.Names()) tracker.SetStored(shard);
  DOLMEN_ASSIGN_OR_RETURN(loaded_, lease_.SetStart(next.start, identity_.id));
  reader_.SetTracker(std::move(tracker), true);
  const bool is_after = position.type == ShardIteratorType::kAfterSequenceNumber;
  SetNumber(is_after ? position.sequence_number : std::string());
  store_.DeleteOtherStarts(loaded_).IgnoreError();
  return {};
}

Status Subscriber::DeliverPages(std::size_t* count) {
  stored_at_ = context_.service.SteadyNow();
  while (!reader_.pages().empty() && !stop_) {
    const Status delivered = DeliverPage(reader_.pages().front(), count);
    const Status stored = StorePositions();
    DOLMEN_RETURN_IF_ERROR(delivered);
    DOLMEN_RETURN_IF_ERROR(stored);
    reader_.pages().pop_front();
  }
  return {};
}

Status Subscriber::DeliverPage(const ShardPage& page, std::size_t* count) {
  if (receiver_->takes_pages()) return DeliverAtOnce(page, count);
  for (const StreamRecord& record : page.records) {
    if (stop_) return {};
    if (!lease_.IsHeld()) return lease_.Lose();
    DOLMEN_ASSIGN_OR_RETURN(const bool passes, receiver_->Receive(record));
    reader_.tracker().AddDelivered(page.shard, record.sequence_number);
    SetNumber(record.sequence_number);
    if (!passes) continue;
    ++*count;
    SetStatus({});
    if (context_.service.SteadyNow() - stored_at_ >= kStorePause) {
      DOLMEN_RETURN_IF_ERROR(StorePositions());
    }
  }
  reader_.tracker().AddDelivered(page);
  return {};
}

// Delivers a part of the page at a time. A process that was suspended may have lost the lease; it then
// ends before its next part, which could be older than what its successor has written.
Status Subscriber::DeliverAtOnce(const ShardPage& page, std::size_t* count) {
  std::span<const StreamRecord> rest = page.records;
  while (!rest.empty()) {
    if (stop_) return {};
    if (!lease_.IsHeld()) return lease_.Lose();
    const auto part = rest.first(std::min(rest.size(), kPartRecords));
    DOLMEN_ASSIGN_OR_RETURN(const std::size_t passed, receiver_->ReceivePage(part));
    *count += passed;
    const std::string& last = part.back().sequence_number;
    reader_.tracker().AddDelivered(page.shard, last);
    SetNumber(last);
    rest = rest.subspan(part.size());
  }
  reader_.tracker().AddDelivered(page);
  return {};
}

Status Subscriber::StorePositions() {
  const SteadyTime now = context_.service.SteadyNow();
  const bool with_iterators = now - iterators_stored_at_ >= kIteratorPause;
  stored_at_ = now;
  ShardTracker& tracker = reader_.tracker();
  const std::vector<ShardName> shards = tracker.Unstored(with_iterators);
  const Status written = WritePositions(store_, loaded_, tracker, shards);
  if (written.code() == StatusCode::kConditionalCheckFailed) return lease_.Lose();
  DOLMEN_RETURN_IF_ERROR(written);
  for (const ShardName& shard : shards) tracker.SetStored(shard);
  if (with_iterators) iterators_stored_at_ = now;
  for (const ShardName& shard : reader_.TakeForgotten()) {
    store_.DeletePosition(loaded_, shard).IgnoreError();  // the next start deletes it
  }
  return {};
}

void Subscriber::RunDelivery() {
  for (;;) {
    const SteadyTime begin = steady_clock::now();
    Status delivered;
    {
      const MutexLock lock(delivery_mutex_);
      std::size_t count = 0;
      delivered = DeliverAndNote(Extent::kOnePage, &count);
    }
    if (is_deleted_) return;
    const milliseconds pause =
        delivered.ok() ? context_.options.poll_pause : ClampPause(input_.retry_after);
    const SteadyTime from = delivered.ok() ? begin : steady_clock::now();
    if (!WaitUntil(from + pause, true)) return;
  }
}

void Subscriber::RunLease() {
  while (WaitUntil(steady_clock::now() + Lease::kRenewal / 2, false)) lease_.Renew();
}

bool Subscriber::WaitUntil(SteadyTime time, bool wakes_for_seek) {
  const MutexLock lock(wake_mutex_);
  while (!stop_ && !(wakes_for_seek && has_sought_) && steady_clock::now() < time) {
    wake_.WaitUntil(wake_mutex_, time);
  }
  if (wakes_for_seek) has_sought_ = false;
  return !stop_;
}

Status Unsubscribe(const SubscriberContext& context, const TableRef& table,
                   const std::string& name) {
  auto state = SubscriptionStore::OpenTable(context.tables, context.options.table, false);
  if (state.status().code() == StatusCode::kResourceNotFound) {
    return internal::NoSuchSubscription(name);
  }
  if (!state.ok()) return state.status();
  if (!context.names.Add(table.name(), name)) return internal::SubscriptionIsRunning(name);
  const SubscriptionStore store(context.service, *state, table.name(), name);
  Lease lease(context.service, store, name);
  const auto delete_state = [&]() -> Status {
    DOLMEN_ASSIGN_OR_RETURN(const std::optional<LeaseItem> stored, store.ReadLease());
    if (!stored) return internal::NoSuchSubscription(name);
    DOLMEN_RETURN_IF_ERROR(context.service.WaitUntil("Unsubscribe", [&]() -> Result<bool> {
      const Status taken = lease.Take().status();
      if (taken.code() != StatusCode::kResourceInUse) return taken.and_return(true);
      if (lease.has_seen_renewal()) return taken;
      return false;
    }));
    // If the deletion ends early, the lease names no start, so the remaining positions are invalid.
    DOLMEN_ASSIGN_OR_RETURN(const LeaseItem& held, lease.SetStart({}, {}));
    DOLMEN_RETURN_IF_ERROR(store.DeleteOtherStarts(held));
    return store.DeleteLease(held);
  };
  const Status deleted = delete_state();
  if (!deleted.ok()) lease.Release().IgnoreError();  // the lease expires
  context.names.Remove(table.name(), name);
  return deleted.code() == StatusCode::kConditionalCheckFailed ? lease.Lose() : deleted;
}

}  // namespace dolmen::remote
