#include "engine/stream/change_log.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "engine/base/status_macros.h"
#include "engine/storage/cursor.h"
#include "engine/stream/positions.h"

namespace dolmen::engine {
namespace {

constexpr std::uint64_t kRecordsBytesMax = 1 << 20;

// The maximum number of records that a trim deletes one by one. To delete more records, a trim
// deletes their key range. A deleted range slows down readers until a compaction removes it.
constexpr std::size_t kDeletedOneByOne = 1000;
// TrimSometimes trims after a write if the hash of one of the write's numbers is in the lowest 1/32
// of all hashes. It does not test the numbers themselves. If writes to two streams alternate, one
// stream gets only odd numbers. A test such as `number % 32 == 0` would then never trim this
// stream.
constexpr SequenceNumber kGoldenRatio = 0x9E3779B97F4A7C15;
constexpr int kNumbersPerTrimBits = 5;

// When the log is loaded, the next number becomes at least 2^20 times the milliseconds since 1970.
// This ensures that the numbers of records that were lost in a power cut are not assigned again.
constexpr int kNumbersPerMillisecondBits = 20;

constexpr std::string_view kTrimmed = "trimmed";
constexpr std::string_view kNextNumber = "next_number";

EncodedKey RecordKey(const StreamSchema& stream, SequenceNumber number) {
  EncodedKey key(stream.keyspace);
  key.AppendBigEndian(number);
  return key;
}

Result<SequenceNumber> DecodeNumber(const Cursor& cursor) {
  const std::string_view number = cursor.key().substr(kKeyspaceBytes);
  if (number.size() == sizeof(SequenceNumber)) return ReadBigEndian(number);
  return Status::Corruption("the key of a stream's record is damaged");
}

SequenceNumber LeastNumberAt(Timestamp time) {
  const std::int64_t since_1970 = std::max<std::int64_t>(time.time_since_epoch().count(), 0);
  constexpr std::int64_t kMax = std::int64_t{1} << 42;
  return static_cast<SequenceNumber>(std::min(since_1970, kMax)) << kNumbersPerMillisecondBits;
}

// Returns the number stored under `key`, or 0 if the key does not exist.
Result<SequenceNumber> ReadNumber(const Store& store, const EncodedKey& key) {
  PinnedValue value;
  DOLMEN_ASSIGN_OR_RETURN(const bool found, store.Get(key, &value));
  if (!found) return SequenceNumber{0};
  if (value.size() == sizeof(SequenceNumber)) return ReadBigEndian({value.data(), value.size()});
  return Status::Corruption("a sequence number of the streams is damaged");
}

void PutNumber(const EncodedKey& key, SequenceNumber number, WriteBatch* batch) {
  EncodedKey value;
  value.AppendBigEndian(number);
  batch->Put(key, value.bytes());
}

}  // namespace

EncodedKey TrimmedKey(KeyspaceId stream) { return MetaKey(kTrimmed, stream); }

ChangeLog::ReservedNumbers::~ReservedNumbers() {
  if (log_ != nullptr) log_->EndWrite(first_);
}

Status ChangeLog::Load(std::span<const StreamSchema> streams) {
  const MutexLock lock(mutex_);
  DOLMEN_ASSIGN_OR_RETURN(const SequenceNumber kept, ReadNumber(*store_, MetaKey(kNextNumber)));
  next_ = std::max({next_, kept, LeastNumberAt(clock_->Now())});
  for (const StreamSchema& stream : streams) {
    next_ = std::max(next_, stream.first);
    DOLMEN_ASSIGN_OR_RETURN(const TrimState& trimmed, ReadTrimState(stream));
    next_ = std::max(next_, trimmed.last + 1);
    Cursor cursor(*store_, PrefixRange(EncodedKey(stream.keyspace)));
    cursor.SeekToLast();
    DOLMEN_RETURN_IF_ERROR(cursor.status());
    if (!cursor.Valid()) continue;
    DOLMEN_ASSIGN_OR_RETURN(const SequenceNumber last, DecodeNumber(cursor));
    next_ = std::max(next_, last + 1);
    // Ignores a damaged record, because readers of the stream get the error.
    const Result<Timestamp> time = DecodeRecordTime(cursor.value());
    if (time.ok()) last_time_ = std::max(last_time_, *time);
    if (time.status().code() == StatusCode::kUnsupportedFormat) return time.status();
  }
  return LoadPositions();
}

Status ChangeLog::LoadPositions() {
  Cursor cursor(*store_, PrefixRange(EncodedKey(KeyspaceId::kPositions)));
  for (cursor.SeekToFirst(); cursor.Valid(); cursor.Next()) {
    DOLMEN_ASSIGN_OR_RETURN(const SequenceNumber position, DecodePosition(cursor.value()));
    next_ = std::max(next_, position + 1);
  }
  return cursor.status();
}

ChangeLog::ReservedNumbers ChangeLog::ReserveNumbers(std::size_t count, Timestamp now) {
  const MutexLock lock(mutex_);
  last_time_ = std::max(last_time_, now);
  const SequenceNumber first = next_;
  next_ += count;
  in_flight_.insert(first);
  return {this, first, last_time_};
}

void ChangeLog::EndWrite(SequenceNumber first) {
  {
    const MutexLock lock(mutex_);
    in_flight_.erase(first);
  }
  visible_end_changed_.NotifyAll();
}

Status ChangeLog::Append(const StreamSchema& stream, const KeySchema& keys, const Change& change,
                         SequenceNumber number, Timestamp time, WriteBatch* batch) {
  std::string record;
  DOLMEN_RETURN_IF_ERROR(EncodeChange(change, keys, stream.view_type, time, &record));
  batch->Put(RecordKey(stream, number), record);
  return {};
}

SequenceNumber ChangeLog::next_number() const {
  const MutexLock lock(mutex_);
  return next_;
}

Timestamp ChangeLog::now() const {
  const Timestamp now = clock_->Now();
  const MutexLock lock(mutex_);
  return std::max(now, last_time_);
}

void ChangeLog::PutNextNumber(WriteBatch* batch) const {
  PutNumber(MetaKey(kNextNumber), next_number(), batch);
}

SequenceNumber ChangeLog::visible_end() const {
  const MutexLock lock(mutex_);
  return VisibleEndLocked();
}

Result<RecordPage> ChangeLog::Read(const StreamSchema& stream, const KeySchema& keys,
                                   SequenceNumber after, std::size_t count_max) const {
  // Reads `end` before it creates the cursor, so that the cursor sees every record below `end`.
  const SequenceNumber end = visible_end();
  RecordPage page{.records = {}, .last = after};
  if (end <= after + 1) return page;
  Cursor cursor(*store_, {RecordKey(stream, after + 1), RecordKey(stream, end)});
  std::uint64_t bytes = 0;
  for (cursor.SeekToFirst(); cursor.Valid(); cursor.Next()) {
    DOLMEN_ASSIGN_OR_RETURN(const SequenceNumber number, DecodeNumber(cursor));
    Result<StreamRecord> record = DecodeRecord(stream, keys, number, cursor.value());
    if (!record.ok()) return record.status();
    bytes += record->size_bytes;
    const bool full = page.records.size() == count_max || bytes > kRecordsBytesMax;
    if (full && !page.records.empty()) {
      page.complete = false;
      return page;
    }
    page.records.push_back(*std::move(record));
    page.last = number;
  }
  DOLMEN_RETURN_IF_ERROR(cursor.status());
  page.last = end - 1;
  return page;
}

Result<SequenceNumber> ChangeLog::LastNumber(const StreamSchema& stream) const {
  Cursor cursor(*store_, PrefixRange(EncodedKey(stream.keyspace)));
  cursor.SeekToLast();
  if (cursor.Valid()) return DecodeNumber(cursor);
  DOLMEN_RETURN_IF_ERROR(cursor.status());
  DOLMEN_ASSIGN_OR_RETURN(const TrimState& trimmed, ReadTrimState(stream));
  return std::max(trimmed.last, stream.first - 1);
}

Result<ChangeLog::TrimState> ChangeLog::ReadTrimState(const StreamSchema& stream) const {
  const Result<SequenceNumber> last = ReadNumber(*store_, TrimmedKey(stream.keyspace));
  if (!last.ok()) return last.status();
  return TrimState{*last};
}

Result<SequenceNumber> ChangeLog::Trim(const StreamSchema& stream) {
  const Timestamp now = clock_->Now();
  const MutexLock trimming(trim_mutex_);
  auto known = trim_states_.find(stream.keyspace);
  if (known == trim_states_.end()) {
    DOLMEN_ASSIGN_OR_RETURN(const TrimState& read, ReadTrimState(stream));
    known = trim_states_.emplace(stream.keyspace, read).first;
  }
  if (stream.Retains(known->second.oldest, now) || !store_->CheckWritable().ok()) {
    return known->second.last;
  }
  const Status trimmed = TrimTo(stream, now, &known->second);
  // Ignores a kStorage error: the old records stay in the store, and a later call deletes them.
  if (!trimmed.ok() && trimmed.code() != StatusCode::kStorage) return trimmed;
  return known->second.last;
}

Status ChangeLog::TrimTo(const StreamSchema& stream, Timestamp now, TrimState* trimmed) {
  Timestamp oldest = this->now();  // no later record is older
  WriteBatch batch;
  TrimState after = *trimmed;
  const EncodedKey start = RecordKey(stream, trimmed->last + 1);
  const SequenceNumber end = visible_end();
  Cursor cursor(*store_, {start, RecordKey(stream, end)});
  for (cursor.SeekToFirst(); cursor.Valid(); cursor.Next()) {
    const Result<Timestamp> time = DecodeRecordTime(cursor.value());
    if (!time.ok()) {  // keeps the record: readers get the error
      oldest = trimmed->oldest;
      break;
    }
    if (stream.Retains(*time, now)) {
      oldest = *time;
      break;
    }
    DOLMEN_ASSIGN_OR_RETURN(const SequenceNumber number, DecodeNumber(cursor));
    if (batch.count() == kDeletedOneByOne) {
      const Result<SequenceNumber> first = FirstRetained(stream, number, end, now, &cursor);
      if (!first.ok()) return first.status();
      batch = WriteBatch();
      batch.DeleteRange({start, RecordKey(stream, *first)});
      cursor.SeekBefore(RecordKey(stream, *first).bytes());
      DOLMEN_ASSIGN_OR_RETURN(after.last, cursor.Valid() ? DecodeNumber(cursor) : Result(number));
      oldest = after.oldest;  // unknown, so the next trim searches again
      break;
    }
    batch.Delete(EncodedKey::FromBytes(cursor.key()));
    after.last = number;
  }
  DOLMEN_RETURN_IF_ERROR(cursor.status());
  after.oldest = oldest;
  if (!batch.empty()) {
    PutNumber(TrimmedKey(stream.keyspace), after.last, &batch);
    batch.OnlyDeletes();
    DOLMEN_RETURN_IF_ERROR(store_->Write(std::move(batch), WriteDurability::kLater));
  }
  *trimmed = after;
  return {};
}

Result<SequenceNumber> ChangeLog::FirstRetained(const StreamSchema& stream, SequenceNumber from,
                                                SequenceNumber end, Timestamp now, Cursor* cursor) {
  SequenceNumber lower = from;  // no record up to this number is retained
  SequenceNumber upper = end;
  while (lower + 1 < upper) {
    const SequenceNumber middle = lower + (upper - lower) / 2;
    cursor->Seek(RecordKey(stream, middle));
    if (!cursor->Valid()) {
      DOLMEN_RETURN_IF_ERROR(cursor->status());
      upper = middle;
      continue;
    }
    DOLMEN_ASSIGN_OR_RETURN(const Timestamp time, DecodeRecordTime(cursor->value()));
    DOLMEN_ASSIGN_OR_RETURN(const SequenceNumber number, DecodeNumber(*cursor));
    if (stream.Retains(time, now)) {
      upper = middle;
    } else {
      lower = number;
    }
  }
  return upper;
}

void ChangeLog::TrimSometimes(const StreamSchema& stream, const ReservedNumbers& numbers) {
  for (SequenceNumber number = numbers.first_; number < numbers.next_; ++number) {
    if ((number * kGoldenRatio) >> (64 - kNumbersPerTrimBits) != 0) continue;
    // Ignores an error, because a later write trims again.
    Trim(stream).status().IgnoreError();
    return;
  }
}

void ChangeLog::SetLeastTime(Timestamp time) {
  const MutexLock lock(mutex_);
  last_time_ = std::max(last_time_, time);
}

void ChangeLog::WaitForOpenWrites() {
  static const std::atomic<bool> kNotWoken = false;
  WaitFor(next_number() - 1, {}, kNotWoken);
}

void ChangeLog::WaitFor(SequenceNumber seen, Deadline deadline, const std::atomic<bool>& woken) {
  const MutexLock lock(mutex_);
  while (!woken && VisibleEndLocked() <= seen) {
    if (!deadline) {
      visible_end_changed_.Wait(mutex_);
    } else if (std::chrono::steady_clock::now() < *deadline) {
      visible_end_changed_.WaitUntil(mutex_, *deadline);
    } else {
      return;
    }
  }
}

void ChangeLog::WakeAll() {
  // Takes the lock, so that the notification reaches every waiter. A waiter holds the lock from the
  // moment when it tests its condition until it waits.
  { const MutexLock lock(mutex_); }
  visible_end_changed_.NotifyAll();
}

}  // namespace dolmen::engine
