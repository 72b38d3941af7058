#include "engine/write/token_log.h"

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "engine/storage/cursor.h"

namespace dolmen::engine {
namespace {

constexpr auto kRemembered = std::chrono::minutes(10);
constexpr int kForgottenPerTransaction = 8;

constexpr std::size_t kTimeBytes = 8;

// Keyspace kTokens: the records, each a request's hash, by token and end; and, in the order of
// their ends, the tokens.  The end in both keys makes a token's next record another one, so that
// whoever forgets the old one can't hit it.
constexpr std::string_view kRecord = "r";
constexpr std::string_view kEnd = "t";

// Bytes that sort as the times do.
EncodedKey ToBytes(Timestamp time) {
  // Earlier than 1970 is 1970.
  const std::int64_t since_1970 = std::max<std::int64_t>(time.time_since_epoch().count(), 0);
  EncodedKey bytes;
  bytes.AppendBigEndian(static_cast<std::uint64_t>(since_1970));
  return bytes;
}

std::string_view ViewOf(const RequestHash& hash) { return {hash.data(), hash.size()}; }

EncodedKey RecordsOf(std::string_view token) {
  EncodedKey key(KeyspaceId::kTokens);
  key.AppendRaw(kRecord);
  key.AppendTerminated(token);
  return key;
}

EncodedKey RecordKey(std::string_view token, std::string_view end) {
  EncodedKey key = RecordsOf(token);
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

TokenLog::Claim::~Claim() {
  if (log_ == nullptr) return;
  const std::lock_guard lock(log_->mutex_);
  log_->running_.erase(log_->running_.find(token_));
}

Result<TokenLog::Claim> TokenLog::Begin(std::string_view token, const RequestHash& hash) {
  {
    const std::lock_guard lock(mutex_);
    if (!running_.emplace(token).second) return Status::TransactionInProgress();
  }
  Claim claim(this, token);
  Cursor records(*store_, PrefixRange(RecordsOf(token)));
  records.SeekToLast();
  if (!records.Valid()) {
    if (Status read = records.status(); !read.ok()) return read;
    return claim;
  }
  const std::string_view end = records.key().substr(RecordsOf(token).bytes().size());
  if (end.size() != kTimeBytes) return DamagedToken();
  // A later end than one that is set now is of a clock that has been put right since.
  const Timestamp now = clock_->Now();
  if (end <= ToBytes(now).bytes() || end > ToBytes(now + kRemembered).bytes()) return claim;
  if (records.value() != ViewOf(hash)) return Status::IdempotentParameterMismatch();
  claim.done_ = true;
  return claim;
}

Status TokenLog::Append(std::string_view token, const RequestHash& hash, WriteBatch* batch) {
  const Timestamp now = clock_->Now();
  // Not over what others have deleted before: that would be ever more.
  const Timestamp forgotten(std::chrono::milliseconds(forgotten_until_.load()));
  Cursor ended(*store_, {EndKey(ToBytes(forgotten).bytes(), {}), EndKey(ToBytes(now).bytes(), {})});
  ended.SeekToFirst();
  for (int i = 0; i < kForgottenPerTransaction && ended.Valid(); ++i, ended.Next()) {
    const std::string_view rest = ended.key().substr(kKeyspaceBytes + kEnd.size());
    const std::string_view end = rest.substr(0, kTimeBytes);
    if (end.size() != kTimeBytes) return DamagedToken();
    batch->Delete(EncodedKey::FromBytes(ended.key()));
    batch->Delete(RecordKey(rest.substr(end.size()), end));
    forgotten_until_.store(static_cast<std::int64_t>(ReadBigEndian(end)));
  }
  if (Status read = ended.status(); !read.ok()) return read;
  const EncodedKey end = ToBytes(now + kRemembered);
  batch->Put(RecordKey(token, end.bytes()), ViewOf(hash));
  batch->Put(EndKey(end.bytes(), token), {});
  return {};
}

}  // namespace dolmen::engine
