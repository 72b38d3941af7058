#include "remote/shard_tracker.h"

#include <algorithm>
#include <optional>
#include <set>

#include "engine/base/status_macros.h"

namespace dolmen::remote {
namespace {

using Kind = ShardPosition::Kind;

bool IsByNumber(ShardIteratorType type) {
  return type == ShardIteratorType::kAtSequenceNumber ||
         type == ShardIteratorType::kAfterSequenceNumber;
}

Status CheckStart(const StreamPosition& start) {
  const std::string& number = start.sequence_number;
  if (!IsByNumber(start.type)) {
    if (number.empty()) return {};
    return Status::Validation(
        "Invalid SequenceNumber: TRIM_HORIZON and LATEST take no SequenceNumber. Leave it empty.");
  }
  const auto is_digit = [](char c) { return '0' <= c && c <= '9'; };
  if (!number.empty() && number.size() <= 40 && std::ranges::all_of(number, is_digit)) return {};
  return Status::Validation("Invalid SequenceNumber: \"" + number + "\" is not a number");
}

Status LostShard(const ShardName& name) {
  return Status::TrimmedDataAccess(
      "Records before the shard " + name.shard_id +
      " may be lost: the service no longer has the shard before it, which was not delivered to its "
      "end. To continue with the oldest retained record, call Seek() with kTrimHorizon.");
}

// Returns the position of a shard for a start with a sequence number. Sets `*found` if the number is in
// the shard.
ShardPosition PositionOfNumber(const Shard& shard, const StreamPosition& start, bool* found) {
  const std::string& number = start.sequence_number;
  const bool is_at = start.type == ShardIteratorType::kAtSequenceNumber;
  if (IsLessNumber(number, shard.starting_sequence_number)) {
    return {Kind::kAt, shard.starting_sequence_number};
  }
  const std::string& last = shard.ending_sequence_number;
  const bool is_before_end = last.empty() || !IsLessNumber(last, number);
  *found |= is_before_end;
  if (!last.empty() && (is_at ? !is_before_end : !IsLessNumber(number, last))) return {Kind::kEnd};
  return {is_at ? Kind::kAt : Kind::kAfter, number};
}

ShardPosition StartOf(const Shard& shard, const StreamPosition& start, bool* found) {
  if (IsByNumber(start.type)) return PositionOfNumber(shard, start, found);
  if (start.type == ShardIteratorType::kTrimHorizon) return {};
  return {shard.ending_sequence_number.empty() ? Kind::kIterator : Kind::kEnd};
}

std::string_view WithoutZeros(std::string_view number) {
  number.remove_prefix(std::min(number.find_first_not_of('0'), number.size()));
  return number;
}

}  // namespace

bool IsLessNumber(std::string_view a, std::string_view b) {
  a = WithoutZeros(a);
  b = WithoutZeros(b);
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

ShardTracker::ShardTracker(const std::map<ShardName, ShardPosition>& stored) {
  for (const auto& [name, position] : stored) {
    shards_[name] = {.position = position, .fetched_to_end = position.kind == Kind::kEnd};
  }
}

Result<ShardTracker> ShardTracker::Begin(const std::vector<StreamDescription>& streams,
                                         const StreamPosition& start) {
  DOLMEN_RETURN_IF_ERROR(CheckStart(start));
  ShardTracker tracker;
  bool found = !IsByNumber(start.type);
  for (const StreamDescription& stream : streams) {
    for (const Shard& shard : stream.shards) {
      const ShardPosition position = StartOf(shard, start, &found);
      tracker.shards_[{stream.stream_arn, shard.shard_id}] = {
          .position = position,
          .fetched_to_end = position.kind == Kind::kEnd,
          .unstored = Change::kPosition};
    }
  }
  if (!found) {
    return Status::TrimmedDataAccess("No shard of the table's streams has the sequence number " +
                                     start.sequence_number + " any more");
  }
  tracker.SetListed(streams);
  return tracker;
}

Result<std::vector<ShardName>> ShardTracker::Update(const std::vector<StreamDescription>& streams) {
  std::set<ShardName> listed;
  for (const StreamDescription& stream : streams) {
    for (const Shard& shard : stream.shards) listed.insert({stream.stream_arn, shard.shard_id});
  }
  std::map<ShardName, Tracked> added;
  for (const StreamDescription& stream : streams) {
    for (const Shard& shard : stream.shards) {
      const ShardName name{stream.stream_arn, shard.shard_id};
      const ShardName parent{stream.stream_arn, shard.parent_shard_id};
      if (shards_.contains(name)) continue;
      const bool has_parent = !shard.parent_shard_id.empty();
      if (has_parent && !listed.contains(parent) && !shards_.contains(parent)) {
        return LostShard(name);
      }
      added[name] = {.position = {Kind::kAt, shard.starting_sequence_number},
                     .unstored = Change::kPosition};
    }
  }
  shards_.merge(added);
  SetListed(streams);
  std::vector<ShardName> forgotten;
  std::erase_if(shards_, [&](const auto& entry) {
    if (entry.second.position.kind != Kind::kEnd || listed.contains(entry.first)) return false;
    forgotten.push_back(entry.first);
    return true;
  });
  return forgotten;
}

void ShardTracker::SetListed(const std::vector<StreamDescription>& streams) {
  streams_.clear();
  for (const StreamDescription& stream : streams) {
    streams_[stream.stream_arn] = stream.stream_status;
    for (const Shard& shard : stream.shards) {
      Tracked& tracked = shards_.at({stream.stream_arn, shard.shard_id});
      tracked.parent_id = shard.parent_shard_id;
      tracked.first_number = shard.starting_sequence_number;
    }
  }
  has_new_end_ = false;
}

std::vector<ShardName> ShardTracker::Readable() const {
  std::vector<ShardName> readable;
  std::optional<std::string_view> oldest;  // the oldest stream that is not fetched to its end
  for (const auto& [name, shard] : shards_) {
    if (shard.fetched_to_end) continue;
    if (!oldest) oldest = name.stream_arn;
    if (name.stream_arn != *oldest) break;
    const auto parent = shards_.find({name.stream_arn, shard.parent_id});
    if (parent != shards_.end() && !parent->second.fetched_to_end) continue;
    readable.push_back(name);
  }
  return readable;
}

bool ShardTracker::AwaitsShards() const {
  std::set<ShardName> parents;
  bool is_enabled = false;
  for (const auto& [name, shard] : shards_) parents.insert({name.stream_arn, shard.parent_id});
  for (const auto& [arn, status] : streams_) {
    if (status != StreamStatus::kEnabled) continue;
    is_enabled = true;
    bool has_shard = false;
    for (auto shard = shards_.lower_bound({arn, ""});
         shard != shards_.end() && shard->first.stream_arn == arn; ++shard) {
      has_shard = true;
      if (shard->second.fetched_to_end && !parents.contains(shard->first)) return true;
    }
    if (!has_shard) return true;
  }
  return !is_enabled;
}

std::vector<ShardName> ShardTracker::Names() const {
  std::vector<ShardName> names;
  for (const auto& [name, shard] : shards_) names.push_back(name);
  return names;
}

void ShardTracker::SetPosition(const ShardName& name, ShardPosition position) {
  Tracked& shard = shards_.at(name);
  shard.position = std::move(position);
  shard.iterator.clear();
  shard.unstored = Change::kPosition;
}

void ShardTracker::AddFetched(const ShardPage& page) {
  Tracked& shard = shards_.at(page.shard);
  shard.iterator = page.next_iterator;
  shard.fetched_to_end = page.next_iterator.empty();
  has_new_end_ |= shard.fetched_to_end;
}

void ShardTracker::AddDelivered(const ShardName& name, const std::string& sequence_number) {
  Tracked& shard = shards_.at(name);
  shard.position = {Kind::kAfter, sequence_number};
  shard.unstored = Change::kPosition;
}

void ShardTracker::AddDelivered(const ShardPage& page) {
  Tracked& shard = shards_.at(page.shard);
  if (page.next_iterator.empty()) {
    shard.position = {Kind::kEnd};
    shard.unstored = Change::kPosition;
  } else if (shard.position.kind == Kind::kIterator || shard.position.kind == Kind::kOldest) {
    if (shard.position.kind == Kind::kIterator) shard.position.text = page.next_iterator;
    // After a page of records that were skipped, records may be left.
    if (shard.position.kind == Kind::kOldest && !page.was_empty) return;
    shard.position.read_at = page.fetched_at;
    shard.unstored = std::max(shard.unstored, Change::kIterator);
  }
}

void ShardTracker::Rewind() {
  for (auto& [name, shard] : shards_) {
    shard.iterator.clear();
    shard.fetched_to_end = shard.position.kind == Kind::kEnd;
  }
}

std::vector<ShardName> ShardTracker::Unstored(bool with_iterators) const {
  std::vector<ShardName> unstored;
  for (const auto& [name, shard] : shards_) {
    if (shard.unstored == Change::kPosition ||
        (with_iterators && shard.unstored == Change::kIterator)) {
      unstored.push_back(name);
    }
  }
  return unstored;
}

void ShardTracker::SetStored(const ShardName& name) { shards_.at(name).unstored = Change::kNone; }

}  // namespace dolmen::remote
