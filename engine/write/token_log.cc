#include "engine/write/token_log.h"

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "engine/base/status_macros.h"
#include "engine/storage/cursor.h"

namespace dolmen::engine {
namespace {

constexpr auto kTokenLifetime = std::chrono::minutes(10);
constexpr int kDeletionsPerTransaction = 8;

constexpr std::size_t kTimeBytes = 8;

// Keyspace kTokens holds two entries for each record. One has the key (kRecord, token, end) and
// the request's hash as its value. The other has the key (kEnd, end, token) and no value; the log
// finds ended records by this entry. The end is the time at which the log forgets the token. Both
// keys contain the end, so that deleting an ended record cannot delete a later record of the same
// token.
constexpr std::string_view kRecord = "r";
constexpr std::string_view kEnd = "t";

// Returns bytes that sort in the order of the times. A time before 1970 counts as 1970.
EncodedKey ToBytes(Timestamp time) {
  const std::int64_t since_1970 = std::max<std::int64_t>(time.time_since_epoch().count(), 0);
  EncodedKey bytes;
  bytes.AppendBigEndian(static_cast<std::uint64_t>(since_1970));
  return bytes;
}

std::string_view ViewOf(const RequestHash& hash) { return {hash.data(), hash.size()}; }

// Returns the prefix of the keys of the token's records.
EncodedKey RecordPrefix(std::string_view token) {
  EncodedKey key(KeyspaceId::kTokens);
  key.AppendRaw(kRecord);
  key.AppendTerminated(token);
  return key;
}

EncodedKey RecordKey(std::string_view token, std::string_view end) {
  EncodedKey key = RecordPrefix(token);
  key.AppendRaw(end);
  return key;
}

EncodedKey EndKey(std::string_view end, std::string_view token) {
  EncodedKey key(KeyspaceId::kTokens);
  key.AppendRaw(kEnd);
  key.AppendRaw(end);
  key.AppendRaw(token);
  return key;
}

Status DamagedToken() {
  return Status::Corruption("the record of a client request token is damaged");
}

}  // namespace

TokenLog::Use::~Use() {
  if (log_ == nullptr) return;
  const MutexLock lock(log_->mutex_);
  log_->running_.erase(log_->running_.find(token_));
}

Result<TokenLog::Use> TokenLog::Begin(std::string_view token, const RequestHash& hash,
                                      OperationTime* time) {
  {
    const MutexLock lock(mutex_);
    if (!running_.emplace(token).second) return Status::TransactionInProgress();
  }
  Use use(this, token);
  Cursor records(*store_, PrefixRange(RecordPrefix(token)));
  records.SeekToLast();
  if (!records.Valid()) {
    DOLMEN_RETURN_IF_ERROR(records.status());
    return use;
  }
  const std::string_view end = records.key().substr(RecordPrefix(token).bytes().size());
  if (end.size() != kTimeBytes) return DamagedToken();
  // Ignores a record whose end is later than the end of a record that is written now. The clock was
  // ahead when that record was written.
  const Timestamp now = time->Now();
  if (end <= ToBytes(now).bytes() || end > ToBytes(now + kTokenLifetime).bytes()) return use;
  if (records.value() != ViewOf(hash)) return Status::IdempotentParameterMismatch();
  use.is_repetition_ = true;
  return use;
}

Status TokenLog::Append(std::string_view token, const RequestHash& hash, Timestamp now,
                        WriteBatch* batch) {
  // Starts after the records that earlier calls deleted. Otherwise each call would pass over more
  // deleted keys and take longer than the call before it.
  const Timestamp deleted_until(std::chrono::milliseconds(deleted_until_.load()));
  Cursor ended(*store_,
               {EndKey(ToBytes(deleted_until).bytes(), {}), EndKey(ToBytes(now).bytes(), {})});
  ended.SeekToFirst();
  for (int i = 0; i < kDeletionsPerTransaction && ended.Valid(); ++i, ended.Next()) {
    const std::string_view rest = ended.key().substr(kKeyspaceBytes + kEnd.size());
    const std::string_view end = rest.substr(0, kTimeBytes);
    if (end.size() != kTimeBytes) return DamagedToken();
    batch->Delete(EncodedKey::FromBytes(ended.key()));
    batch->Delete(RecordKey(rest.substr(end.size()), end));
    deleted_until_.store(static_cast<std::int64_t>(ReadBigEndian(end)));
  }
  DOLMEN_RETURN_IF_ERROR(ended.status());
  const EncodedKey end = ToBytes(now + kTokenLifetime);
  batch->Put(RecordKey(token, end.bytes()), ViewOf(hash));
  batch->Put(EndKey(end.bytes(), token), {});
  return {};
}

}  // namespace dolmen::engine
