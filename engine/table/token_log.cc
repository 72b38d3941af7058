#include "engine/table/token_log.h"

#include <chrono>
#include <cstdint>

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

using TimeBytes = std::array<char, kTimeBytes>;

TimeBytes ToBytes(Timestamp time) {
  const auto millis = static_cast<std::uint64_t>(time.time_since_epoch().count());
  TimeBytes bytes;
  for (std::size_t i = 0; i < kTimeBytes; ++i) {
    bytes[i] = static_cast<char>(millis >> (8 * (kTimeBytes - 1 - i)));
  }
  return bytes;
}

std::string_view ViewOf(const TimeBytes& bytes) { return {bytes.data(), bytes.size()}; }
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
  if (end.size() != kTimeBytes) {
    return Status::Corruption("the record of a client request token is damaged");
  }
  if (end <= ViewOf(ToBytes(clock_->Now()))) return claim;
  if (records.value() != ViewOf(hash)) return Status::IdempotentParameterMismatch();
  claim.done_ = true;
  return claim;
}

Status TokenLog::Append(std::string_view token, const RequestHash& hash, WriteBatch* batch) {
  const Timestamp now = clock_->Now();
  Cursor ended(*store_, {EndKey({}, {}), EndKey(ViewOf(ToBytes(now)), {})});
  ended.SeekToFirst();
  for (int i = 0; i < kForgottenPerTransaction && ended.Valid(); ++i, ended.Next()) {
    const std::string_view rest = ended.key().substr(kKeyspaceBytes + kEnd.size());
    const std::string_view end = rest.substr(0, kTimeBytes);
    batch->Delete(EncodedKey::FromBytes(ended.key()));
    batch->Delete(RecordKey(rest.substr(end.size()), end));
  }
  if (Status read = ended.status(); !read.ok()) return read;
  const TimeBytes end = ToBytes(now + kRemembered);
  batch->Put(RecordKey(token, ViewOf(end)), ViewOf(hash));
  batch->Put(EndKey(ViewOf(end), token), {});
  return {};
}

}  // namespace dolmen::engine
