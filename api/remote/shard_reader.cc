#include "remote/shard_reader.h"

#include <algorithm>
#include <utility>

#include "engine/base/status_macros.h"
#include "wire/stream_operations.h"

namespace dolmen::remote {
namespace {

using Kind = ShardPosition::Kind;

constexpr std::size_t kFetchedBytesMax = std::size_t{16} << 20;
constexpr std::size_t kShardsAtOnce = 16;
// The pauses between two lists of the shards: in general, and while a new shard is awaited.
constexpr std::chrono::seconds kListPause{60};
constexpr std::chrono::seconds kAwaitPause{1};
// The times of a table and of its first stream can differ by the precision of the service.
constexpr std::chrono::seconds kTimePrecision{1};
// The clocks of this machine and of the service may differ by this time. A service refuses signatures of
// clocks that differ by more.
constexpr std::chrono::minutes kClockSkewMax{15};

Result<StreamDescription> DescribeWholeStream(const Service& service, const std::string& arn) {
  DescribeStreamInput input{.stream_arn = arn};
  DOLMEN_ASSIGN_OR_RETURN(StreamDescription stream, DescribeStream(service, input));
  stream.stream_arn = arn;
  for (std::string last = stream.last_evaluated_shard_id; !last.empty();) {
    input.exclusive_start_shard_id = last;
    DOLMEN_ASSIGN_OR_RETURN(const StreamDescription& page, DescribeStream(service, input));
    stream.shards.insert(stream.shards.end(), page.shards.begin(), page.shards.end());
    last = page.last_evaluated_shard_id;
  }
  return stream;
}

Status Deleted(const std::string& table) {
  return Status::ResourceNotFound("The table was deleted: " + table);
}

ShardIteratorType TypeOf(Kind kind) {
  if (kind == Kind::kAt) return ShardIteratorType::kAtSequenceNumber;
  if (kind == Kind::kAfter) return ShardIteratorType::kAfterSequenceNumber;
  if (kind == Kind::kIterator) return ShardIteratorType::kLatest;
  return ShardIteratorType::kTrimHorizon;
}

Result<std::string> RequestIterator(const Service& service, const ShardName& shard,
                                    ShardIteratorType type, const std::string& number) {
  return GetShardIterator(service, {.stream_arn = shard.stream_arn,
                                    .shard_id = shard.shard_id,
                                    .shard_iterator_type = type,
                                    .sequence_number = number});
}

// Removes the records before the time.
void SkipBefore(Timestamp time, ShardPage* page) {
  std::erase_if(page->records, [&](const StreamRecord& record) {
    return record.approximate_creation_date_time < time - kClockSkewMax;
  });
}

// Checks that the service retains all records of a shard that follow a position without a sequence number.
// - kTrimmedDataAccess: the service may have trimmed some of them.
Status CheckRetained(const ShardName& shard, const ShardPosition& position,
                     std::chrono::milliseconds retention, Timestamp now) {
  const Timestamp read_at = std::max(position.read_at, position.since);
  // With a short retention, 15 minutes would refuse every position.
  const auto skew = std::min<std::chrono::milliseconds>(kClockSkewMax, retention / 2);
  if (read_at == Timestamp() || now - (read_at - skew) <= retention) return {};
  return Status::TrimmedDataAccess(
      "The shard " + shard.shard_id + " was not read since " + ToIso8601(read_at) +
      ". The service no longer keeps all records since then, so records may be lost. To continue "
      "with the oldest retained record, call Seek() with kTrimHorizon.");
}

}  // namespace

Result<ListStreamsOutput> ListStreams(const Service& service, const ListStreamsInput& input) {
  return service.Call<ListStreamsOutput>("DynamoDBStreams.ListStreams", input, Repeat::kSafe);
}

Result<StreamDescription> DescribeStream(const Service& service, const DescribeStreamInput& input) {
  return service.Call("DynamoDBStreams.DescribeStream", input, Repeat::kSafe,
                      StreamDescription{.stream_status = StreamStatus::kDisabled,
                                        .stream_view_type = StreamViewType::kNewAndOldImages});
}

Result<std::string> GetShardIterator(const Service& service, const GetShardIteratorInput& input) {
  DOLMEN_ASSIGN_OR_RETURN(wire::GetShardIteratorOutput output,
                          service.Call<wire::GetShardIteratorOutput>(
                              "DynamoDBStreams.GetShardIterator", input, Repeat::kSafe));
  return std::move(output.shard_iterator);
}

Result<GetRecordsOutput> GetRecords(const Service& service, const GetRecordsInput& input) {
  return service.Call<GetRecordsOutput>("DynamoDBStreams.GetRecords", input, Repeat::kSafe);
}

Result<std::vector<StreamDescription>> DescribeStreams(const Service& service, Tables& tables,
                                                       const std::string& table,
                                                       const TableIdentity& identity) {
  DOLMEN_ASSIGN_OR_RETURN(const TableIdentity& present, tables.Identify(table));
  if (present.id != identity.id) return Deleted(table);
  const bool has_time = present.created_at == identity.created_at;
  std::vector<StreamDescription> streams;
  ListStreamsInput input{.table_name = table};
  do {
    DOLMEN_ASSIGN_OR_RETURN(const ListStreamsOutput& page, ListStreams(service, input));
    for (const StreamSummary& summary : page.streams) {
      if (summary.table_name != table) continue;
      auto stream = DescribeWholeStream(service, summary.stream_arn);
      // The service may forget a stream at any time.
      if (stream.status().code() == StatusCode::kResourceNotFound) continue;
      if (!stream.ok()) return stream.status();
      const Timestamp begin = stream->creation_request_date_time;
      const bool is_older = begin != Timestamp() && begin + kTimePrecision < present.created_at;
      if (has_time && is_older) continue;
      streams.push_back(*std::move(stream));
    }
    input.exclusive_start_stream_arn = page.last_evaluated_stream_arn;
  } while (!input.exclusive_start_stream_arn.empty());
  std::ranges::sort(streams, {}, &StreamDescription::stream_arn);
  return streams;
}

Result<ShardTracker> ShardReader::FindStart(const StreamPosition& start) const {
  DOLMEN_ASSIGN_OR_RETURN(const std::vector<StreamDescription>& streams,
                          DescribeStreams(service_, tables_, table_, identity_));
  DOLMEN_ASSIGN_OR_RETURN(ShardTracker tracker, ShardTracker::Begin(streams, start));
  for (const ShardName& shard : tracker.Names()) {
    const ShardPosition position = tracker.position(shard);
    const Timestamp now = service_.Now();
    if (position.kind == Kind::kOldest) tracker.SetPosition(shard, {Kind::kOldest, {}, {}, now});
    const bool is_latest = position.kind == Kind::kIterator;
    const bool has_number = !position.text.empty() && position.text == start.sequence_number;
    if (!is_latest && !has_number) continue;
    // The service checks the sequence number.
    DOLMEN_ASSIGN_OR_RETURN(std::string iterator,
                            RequestIterator(service_, shard, TypeOf(position.kind), position.text));
    if (is_latest) tracker.SetPosition(shard, {Kind::kIterator, std::move(iterator), now, now});
  }
  return tracker;
}

void ShardReader::SetTracker(ShardTracker tracker, bool is_listed) {
  tracker_ = std::move(tracker);
  pages_.clear();
  forgotten_.clear();
  is_listed_ = is_listed;
  listed_at_ = service_.SteadyNow();
}

void ShardReader::Rewind() {
  pages_.clear();
  tracker_.Rewind();
}

bool ShardReader::IsListingDue(Extent extent) const {
  if (!is_listed_ || tracker_.has_new_end()) return true;
  const auto age = service_.SteadyNow() - listed_at_;
  if (age >= kListPause) return true;
  return tracker_.AwaitsShards() && (extent == Extent::kToTip || age >= kAwaitPause);
}

Status ShardReader::List() {
  DOLMEN_ASSIGN_OR_RETURN(const std::vector<StreamDescription>& streams,
                          DescribeStreams(service_, tables_, table_, identity_));
  DOLMEN_ASSIGN_OR_RETURN(const std::vector<ShardName>& forgotten, tracker_.Update(streams));
  forgotten_.insert(forgotten_.end(), forgotten.begin(), forgotten.end());
  is_listed_ = true;
  listed_at_ = service_.SteadyNow();
  return {};
}

Result<bool> ShardReader::Fetch(Extent extent) {
  Progress progress;
  bool wants_list = IsListingDue(extent);
  for (;;) {
    if (wants_list) DOLMEN_RETURN_IF_ERROR(List());
    std::vector<ShardName> shards = tracker_.Readable();
    std::erase_if(shards, [&](const ShardName& shard) { return progress.at_tip.contains(shard); });
    if (shards.empty()) return true;
    if (progress.bytes >= kFetchedBytesMax) return false;
    if (shards.size() > kShardsAtOnce) shards.resize(kShardsAtOnce);
    DOLMEN_RETURN_IF_ERROR(FetchPages(shards, extent, &progress));
    wants_list = tracker_.has_new_end();
  }
}

Status ShardReader::FetchPages(const std::vector<ShardName>& shards, Extent extent,
                               Progress* progress) {
  const Timestamp now = service_.Now();
  std::vector<Result<GetRecordsOutput>> read(shards.size(), GetRecordsOutput());
  InParallel(shards.size(), [&](std::size_t i) { read[i] = ReadPage(shards[i]); });
  Status status;
  for (std::size_t i = 0; i < shards.size(); ++i) {
    const ShardPosition position = tracker_.position(shards[i]);
    if (!read[i].ok()) {
      const Status& error = read[i].status();
      if (error.code() == StatusCode::kExpiredIterator && position.kind == Kind::kIterator) {
        // No record has told its sequence number since the iterator was received.
        tracker_.SetPosition(shards[i], {Kind::kOldest, {}, position.since, position.read_at});
      } else if (status.ok()) {
        status = error;
      }
      continue;
    }
    ShardPage page{shards[i], std::move(read[i]->records), read[i]->next_shard_iterator, now};
    page.was_empty = page.records.empty();
    if (page.was_empty || extent == Extent::kOnePage) progress->at_tip.insert(page.shard);
    if (position.kind == Kind::kOldest) SkipBefore(position.since, &page);
    for (const StreamRecord& record : page.records) progress->bytes += record.size_bytes;
    tracker_.AddFetched(page);
    pages_.push_back(std::move(page));
  }
  return status;
}

Result<GetRecordsOutput> ShardReader::ReadPage(const ShardName& shard) const {
  const ShardPosition& position = tracker_.position(shard);
  std::string iterator = tracker_.iterator(shard);
  if (iterator.empty() && position.kind == Kind::kIterator) iterator = position.text;
  if (!iterator.empty()) {
    auto page = ReadAt(shard, iterator);
    const bool has_expired = page.status().code() == StatusCode::kExpiredIterator;
    if (!has_expired || position.kind == Kind::kIterator) return page;
  }
  DOLMEN_ASSIGN_OR_RETURN(iterator, NewIterator(shard, position));
  return ReadAt(shard, iterator);
}

Result<GetRecordsOutput> ShardReader::ReadAt(const ShardName& shard,
                                             const std::string& iterator) const {
  auto page = GetRecords(service_, {.shard_iterator = iterator});
  if (page.status().code() == StatusCode::kResourceNotFound) return MissingShard(shard);
  return page;
}

Result<std::string> ShardReader::NewIterator(const ShardName& shard,
                                             const ShardPosition& position) const {
  if (position.kind == Kind::kOldest) {
    const auto retention = shard.stream_arn == identity_.stream_arn
                               ? identity_.stream_retention
                               : StreamSpecification().retention;
    DOLMEN_RETURN_IF_ERROR(CheckRetained(shard, position, retention, service_.Now()));
  }
  auto iterator = RequestIterator(service_, shard, TypeOf(position.kind), position.text);
  const StatusCode code = iterator.status().code();
  if (code == StatusCode::kResourceNotFound) return MissingShard(shard);
  // A service may not know the first number of a shard as the number of a record.
  if (code == StatusCode::kValidation && position.kind == Kind::kAt &&
      position.text == tracker_.first_number(shard)) {
    return RequestIterator(service_, shard, ShardIteratorType::kTrimHorizon, {});
  }
  return iterator;
}

Status ShardReader::MissingShard(const ShardName& shard) const {
  DOLMEN_ASSIGN_OR_RETURN(const TableIdentity& present, tables_.Identify(table_));
  if (present.id != identity_.id) return Deleted(table_);
  return Status::TrimmedDataAccess(
      "The service no longer has the shard " + shard.shard_id +
      ", which was not delivered to its end, so records may be lost. To continue with the oldest "
      "retained record, call Seek() with kTrimHorizon.");
}

}  // namespace dolmen::remote
