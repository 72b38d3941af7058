#include "engine/table/token_log.h"

#include <algorithm>
#include <boost/endian/conversion.hpp>
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

using TimeBytes = std::array<unsigned char, kTimeBytes>;

TimeBytes ToBytes(Timestamp time) {
  // Earlier than 1970 is 1970: the bytes have to sort as the times do.
  const std::int64_t since_1970 = time.time_since_epoch().count();
  TimeBytes bytes;
  boost::endian::store_big_u64(bytes.data(),
                               static_cast<std::uint64_t>(std::max<std::int64_t>(since_1970, 0)));
  return bytes;
}

// REQUIRES: they are kTimeBytes
std::int64_t FromBytes(std::string_view bytes) {
  return static_cast<std::int64_t>(
      boost::endian::load_big_u64(reinterpret_cast<const unsigned char*>(bytes.data())));
}

std::string_view ViewOf(const TimeBytes& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
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

Status Damaged() { return Status::Corruption("the record of a client request token is damaged"); }

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
  if (end.size() != kTimeBytes) return Damaged();
  // A later end than one that is set now is of a clock that has been put right since.
  const Timestamp now = clock_->Now();
  if (end <= ViewOf(ToBytes(now)) || end > ViewOf(ToBytes(now + kRemembered))) return claim;
  if (records.value() != ViewOf(hash)) return Status::IdempotentParameterMismatch();
  claim.done_ = true;
  return claim;
}

Status TokenLog::Append(std::string_view token, const RequestHash& hash, WriteBatch* batch) {
  const Timestamp now = clock_->Now();
  // Not over what others have deleted before: that would be ever more.
  const Timestamp forgotten(std::chrono::milliseconds(forgotten_until_.load()));
  Cursor ended(*store_, {EndKey(ViewOf(ToBytes(forgotten)), {}), EndKey(ViewOf(ToBytes(now)), {})});
  ended.SeekToFirst();
  for (int i = 0; i < kForgottenPerTransaction && ended.Valid(); ++i, ended.Next()) {
    const std::string_view rest = ended.key().substr(kKeyspaceBytes + kEnd.size());
    const std::string_view end = rest.substr(0, kTimeBytes);
    if (end.size() != kTimeBytes) return Damaged();
    batch->Delete(EncodedKey::FromBytes(ended.key()));
    batch->Delete(RecordKey(rest.substr(end.size()), end));
    forgotten_until_.store(FromBytes(end));
  }
  if (Status read = ended.status(); !read.ok()) return read;
  const TimeBytes end = ToBytes(now + kRemembered);
  batch->Put(RecordKey(token, ViewOf(end)), ViewOf(hash));
  batch->Put(EndKey(ViewOf(end), token), {});
  return {};
}

}  // namespace dolmen::engine
