#include "engine/stream/subscriber.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

#include "engine/base/start_thread.h"
#include "engine/base/status_macros.h"
#include "engine/stream/positions.h"
#include "engine/stream/streams.h"

namespace dolmen::engine {
namespace {

// The maximum number of records that one read returns.
constexpr std::size_t kRecordsPerPage = 100;

SequenceNumber ParseNumber(const StreamRecord& record) {
  return ParseSequenceNumber(record.sequence_number).value_or(0);
}

}  // namespace

bool SubscriberNames::Add(KeyspaceId table, const std::string& name) {
  const MutexLock lock(mutex_);
  return names_.emplace(table, name).second;
}

void SubscriberNames::Remove(KeyspaceId table, const std::string& name) {
  const MutexLock lock(mutex_);
  names_.erase({table, name});
}

Subscriber::Subscriber(const SubscriberContext& context, const TableRef& table,
                       std::unique_ptr<internal::RecordReceiver> receiver)
    : context_(context),
      table_ref_(table),
      table_(&LiveTableOf(table)),
      keyspace_(table_->keyspace()),
      receiver_(std::move(receiver)),
      input_(receiver_->input()) {}

Result<std::unique_ptr<internal::Subscriber>> Subscriber::Create(
    const SubscriberContext& context, const TableRef& table, const SubscribeInput& input,
    internal::SubscriptionHandler handler) {
  DOLMEN_ASSIGN_OR_RETURN(auto receiver, internal::RecordReceiver::Make(input, std::move(handler)));
  std::unique_ptr<Subscriber> subscriber(new Subscriber(context, table, std::move(receiver)));
  DOLMEN_RETURN_IF_ERROR(subscriber->Start());
  return std::unique_ptr<internal::Subscriber>(std::move(subscriber));
}

Subscriber::~Subscriber() {
  stop_ = true;
  woken_ = true;
  context_.changes.WakeAll();
  if (thread_.joinable()) thread_.join();
  if (has_name_) context_.names.Remove(keyspace_, input_.name);
}

Status Subscriber::Start() {
  DOLMEN_RETURN_IF_ERROR(context_.store.CheckWritable());
  const TableSchema* const schema = table_->schema();
  if (schema == nullptr) return NoSuchTable();
  if (schema->streams.empty()) return internal::NoStream(schema->name);
  has_name_ = context_.names.Add(keyspace_, input_.name);
  if (!has_name_) return internal::SubscriptionIsRunning(input_.name);
  {
    const MutexLock lock(delivery_mutex_);
    DOLMEN_RETURN_IF_ERROR(FindPosition(*schema));
  }
  if (!input_.in_background) return {};
  return StartThread(
      "to deliver records", [this] { Run(); }, &thread_);
}

Status Subscriber::FindPosition(const TableSchema& schema) {
  DOLMEN_ASSIGN_OR_RETURN(const auto& known, ReadPosition(context_.store, keyspace_, input_.name));
  if (known) {
    position_ = stored_position_ = *known;
    return {};
  }
  const Result<SequenceNumber> start = ResolveInTable(schema, input_.start);
  return start.ok() ? StorePosition(*start) : start.status();
}

Result<SequenceNumber> Subscriber::TrimStreams(const TableSchema& schema) const {
  SequenceNumber trimmed = schema.last_of_gone_streams;
  for (const StreamSchema& stream : schema.streams) {
    DOLMEN_ASSIGN_OR_RETURN(const SequenceNumber last, context_.changes.Trim(stream));
    trimmed = std::max(trimmed, last);
  }
  return trimmed;
}

Result<SequenceNumber> Subscriber::ResolveInTable(const TableSchema& schema,
                                                  const StreamPosition& position) const {
  DOLMEN_ASSIGN_OR_RETURN(const SequenceNumber trimmed, TrimStreams(schema));
  // ResolvePosition rejects a position below `first` as invalid. If streams of the table were
  // deleted, `first` is 1: a position in a deleted stream is below the numbers of the remaining
  // streams, but valid. If the table has no stream, `first` is 1, too.
  const SequenceNumber first =
      schema.last_of_gone_streams != 0 || schema.streams.empty() ? 1 : schema.streams.front().first;
  return ResolvePosition(context_.changes, position, first, trimmed);
}

Result<std::size_t> Subscriber::Deliver() {
  const MutexLock lock(delivery_mutex_);
  std::size_t count = 0;
  // Waits until the writes in flight have ended. While a write is in flight, no record with a
  // greater number is visible, even if the write of that record is acknowledged.
  context_.changes.WaitForOpenWrites();
  const Status delivered = DeliverUntil(context_.changes.visible_end(), &count);
  SetStatus(delivered);
  if (!delivered.ok()) return delivered;
  return count;
}

Status Subscriber::Seek(const StreamPosition& position) {
  const MutexLock lock(delivery_mutex_);
  const TableSchema* const schema = table_->schema();
  if (schema == nullptr) return NoSuchTable();
  DOLMEN_ASSIGN_OR_RETURN(const SequenceNumber number, ResolveInTable(*schema, position));
  DOLMEN_RETURN_IF_ERROR(StorePosition(number));
  woken_ = true;
  context_.changes.WakeAll();
  return {};
}

std::string Subscriber::sequence_number() const {
  const SequenceNumber position = position_;
  return position == 0 ? std::string() : ToText(position);
}

Status Subscriber::status() const {
  if (table_->schema() == nullptr) return NoSuchTable();
  const MutexLock lock(status_mutex_);
  return status_;
}

Status Subscriber::DeliverUntil(SequenceNumber end, std::size_t* count) {
  for (;;) {
    const TableSchema* const schema = table_->schema();
    if (schema == nullptr) return NoSuchTable();
    DOLMEN_ASSIGN_OR_RETURN(RecordPage page, NextPage(*schema));
    if (table_->schema() != schema) continue;
    std::vector<StreamRecord>& records = page.records;
    const auto later = std::ranges::find_if(
        records, [&](const StreamRecord& record) { return ParseNumber(record) >= end; });
    const bool ended = records.empty() || later != records.end();
    records.erase(later, records.end());
    DOLMEN_RETURN_IF_ERROR(DeliverPage(records, count));
    // Stores the position after a page, and if the last records were rejected by the filter. After a
    // record that the handler got, DeliverRecord has stored the position already.
    if (position_ != stored_position_) {
      DOLMEN_RETURN_IF_ERROR(StorePosition(position_));
    }
    if (ended || stop_) return {};
  }
}

Status Subscriber::DeliverPage(const std::vector<StreamRecord>& records, std::size_t* count) {
  if (!receiver_->takes_pages()) {
    for (const StreamRecord& record : records) {
      if (stop_) return {};
      DOLMEN_RETURN_IF_ERROR(DeliverRecord(record, count));
    }
    return {};
  }
  if (records.empty() || stop_) return {};
  DOLMEN_ASSIGN_OR_RETURN(const std::size_t passed, receiver_->ReceivePage(records));
  *count += passed;
  position_ = ParseNumber(records.back());
  return {};
}

Result<RecordPage> Subscriber::NextPage(const TableSchema& schema) const {
  const SequenceNumber position = position_;
  RecordPage page{.records = {}, .last = position};
  for (const StreamSchema& stream : schema.streams) {
    if (!page.records.empty()) break;
    DOLMEN_ASSIGN_OR_RETURN(page,
                            context_.changes.Read(stream, schema.keys, position, kRecordsPerPage));
  }
  // Calls TrimStreams after the read of the page, to learn of every record that was deleted before
  // the read. TrimStreams returns the greatest deleted number. If this number is greater than the
  // position, the page may lack deleted records.
  DOLMEN_ASSIGN_OR_RETURN(const SequenceNumber trimmed, TrimStreams(schema));
  if (position < trimmed) return TrimmedDataError(trimmed);
  return page;
}

Status Subscriber::DeliverRecord(const StreamRecord& record, std::size_t* count) {
  DOLMEN_ASSIGN_OR_RETURN(const bool passes, receiver_->Receive(record));
  if (!passes) {
    position_ = ParseNumber(record);
    return {};
  }
  ++*count;
  SetStatus({});
  return StorePosition(ParseNumber(record));
}

Status Subscriber::StorePosition(SequenceNumber position) {
  if (table_->schema() == nullptr) return NoSuchTable();
  WriteBatch batch;
  PutPosition(keyspace_, input_.name, position, &batch);
  DOLMEN_RETURN_IF_ERROR(context_.store.Write(std::move(batch), WriteDurability::kLater));
  position_ = stored_position_ = position;
  return {};
}

void Subscriber::SetStatus(const Status& status) {
  const MutexLock lock(status_mutex_);
  status_ = status;
}

void Subscriber::Run() {
  for (;;) {
    woken_ = false;  // cleared first, so that no later wake-up is lost
    if (stop_) return;
    const SequenceNumber seen = context_.changes.visible_end();
    const Status delivered = Deliver().status();
    if (delivered.ok()) {
      context_.changes.WaitFor(seen, {}, woken_);
    } else if (table_->schema() == nullptr) {
      return;
    } else {
      context_.changes.WaitFor(std::numeric_limits<SequenceNumber>::max(),
                               std::chrono::steady_clock::now() + ClampWait(input_.retry_after),
                               woken_);
    }
  }
}

Status Unsubscribe(const SubscriberContext& context, const LiveTable& table,
                   const std::string& name) {
  DOLMEN_RETURN_IF_ERROR(context.store.CheckWritable());
  if (table.schema() == nullptr) return NoSuchTable();
  const KeyspaceId keyspace = table.keyspace();
  if (!context.names.Add(keyspace, name)) return internal::SubscriptionIsRunning(name);
  const auto known = ReadPosition(context.store, keyspace, name);
  Status deleted = known.status();
  if (known.ok() && !*known) {
    deleted = internal::NoSuchSubscription(name);
  } else if (known.ok()) {
    WriteBatch batch;
    DeletePosition(keyspace, name, &batch);
    deleted = context.store.Write(std::move(batch));
  }
  context.names.Remove(keyspace, name);
  return deleted;
}

}  // namespace dolmen::engine
