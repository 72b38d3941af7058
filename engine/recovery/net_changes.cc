#include "engine/recovery/net_changes.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "engine/base/status_macros.h"
#include "engine/key/key_codec.h"
#include "engine/key/key_schema.h"
#include "engine/storage/cursor.h"
#include "engine/stream/change_record.h"
#include "engine/value/bytes.h"

namespace dolmen::engine {
namespace {

// The size of the former versions that are kept in memory before they are written.
constexpr std::size_t kPendingBytes = 1 << 20;

// The changes of one item in a part of the log that ends with the end of the log.
struct NetChange {
  std::optional<Timestamp> last = {};  // the time of the last change in the period
  // The item before the first change in the period that the part has. Nothing: no item.
  std::optional<std::string> old_image = {};
  bool has_later = false;  // an item that has no later change has its present version at the end
  // The item before the first change after the period. Nothing: no item.
  std::optional<std::string> new_image = {};

  // Adds the changes of the part of the log before this part.
  void Precede(NetChange earlier) {
    if (earlier.has_later) {
      has_later = true;
      new_image = std::move(earlier.new_image);
    }
    if (!earlier.last) return;
    if (!last) last = earlier.last;
    old_image = std::move(earlier.old_image);
  }
};

// The stored form of a NetChange: a byte of flags, 8 bytes of time, and a block for each image. No
// file keeps it for longer than the call.
constexpr unsigned kIsChanged = 1;
constexpr unsigned kHasOld = 2;
constexpr unsigned kHasLater = 4;
constexpr unsigned kHasNew = 8;

std::string EncodeNetChange(const NetChange& change) {
  const unsigned flags = (change.last ? kIsChanged : 0U) | (change.old_image ? kHasOld : 0U) |
                         (change.has_later ? kHasLater : 0U) | (change.new_image ? kHasNew : 0U);
  const std::int64_t time = change.last.value_or(Timestamp()).time_since_epoch().count();
  std::string bytes(1 + sizeof time, static_cast<char>(flags));
  std::memcpy(bytes.data() + 1, &time, sizeof time);
  AppendBlock(change.old_image.value_or(std::string()), &bytes);
  AppendBlock(change.new_image.value_or(std::string()), &bytes);
  return bytes;
}

Result<NetChange> DecodeNetChange(std::string_view bytes) {
  std::int64_t time = 0;
  std::string_view old_image;
  std::string_view new_image;
  const char* const end = bytes.data() + bytes.size();
  const char* position = bytes.data() + std::min(bytes.size(), 1 + sizeof time);
  if (!ReadBlock(&position, end, &old_image) || !ReadBlock(&position, end, &new_image)) {
    return Status::Corruption("the temporary copy of a change is damaged");
  }
  std::memcpy(&time, bytes.data() + 1, sizeof time);
  const auto flags = static_cast<unsigned char>(bytes[0]);
  NetChange change{.has_later = (flags & kHasLater) != 0};
  if ((flags & kIsChanged) != 0) change.last = Timestamp(Timestamp::duration(time));
  if ((flags & kHasOld) != 0) change.old_image = std::string(old_image);
  if ((flags & kHasNew) != 0) change.new_image = std::string(new_image);
  return change;
}

Status ViewImage(const std::optional<std::string>& image, std::optional<ItemView>* view) {
  if (!image) return {};
  DOLMEN_ASSIGN_OR_RETURN(*view, ItemView::Parse(*image));
  return {};
}

// The two passes. For one thread.
class PeriodReader {
 public:
  PeriodReader(const CopySource& source, const ReadChangesInput& input, KeyspaceId scratch,
               Store* store)
      : source_(source), input_(input), scratch_(scratch), store_(*store) {}

  Result<ReadChangesOutput> Run() {
    Report(0);
    if (output_.complete) DOLMEN_RETURN_IF_ERROR(ReadLog());
    if (output_.complete) DOLMEN_RETURN_IF_ERROR(Deliver());
    return output_;
  }

 private:
  static KeyRange AllOf(KeyspaceId keyspace) { return PrefixRange(EncodedKey(keyspace)); }

  // Returns the key in another keyspace of the row with the key `key`.
  static EncodedKey KeyIn(KeyspaceId keyspace, std::string_view key) {
    EncodedKey moved(keyspace);
    moved.AppendRaw(key.substr(kKeyspaceBytes));
    return moved;
  }

  Status ReadLog() {
    const StreamSchema& log = *source_.table.recovery_log;
    std::optional<Timestamp> newest;
    Cursor cursor(source_.store, AllOf(log.keyspace),
                  ReadOptions{.snapshot = &source_.snapshot, .fills_cache = false});
    for (cursor.SeekToLast(); cursor.Valid() && output_.complete; cursor.Previous()) {
      DOLMEN_ASSIGN_OR_RETURN(const Timestamp time, DecodeRecordTime(cursor.value()));
      if (time < input_.from) break;
      if (!newest) newest = time;
      DOLMEN_RETURN_IF_ERROR(AddRecord(log, cursor.value(), time));
      if (pending_bytes_ < kPendingBytes) continue;
      DOLMEN_RETURN_IF_ERROR(WritePending());
      const auto part =
          std::chrono::duration<double>(*newest - time) /
          std::chrono::duration<double>(*newest - input_.from + Timestamp::duration(1));
      Report(part / 2);
    }
    DOLMEN_RETURN_IF_ERROR(cursor.status());
    return WritePending();
  }

  Status AddRecord(const StreamSchema& log, std::string_view bytes, Timestamp time) {
    DOLMEN_ASSIGN_OR_RETURN(StreamRecord record,
                            DecodeRecord(log, source_.table.keys, log.first, bytes));
    const std::optional<KeyBytes> key = KeyOfStoredItem(source_.table.keys, record.keys.view());
    if (!key) return Status::Corruption("a record of the recovery log lacks the item's key");
    std::optional<std::string> before;
    if (record.old_image) before = std::string(record.old_image->view().bytes());
    const std::string row(RowKey(scratch_, *key).bytes());
    pending_bytes_ += row.size() + (before ? before->size() : 0);
    NetChange change;
    if (time < input_.to) {
      change.last = time;
      change.old_image = std::move(before);
    } else {
      change.has_later = true;
      change.new_image = std::move(before);
    }
    pending_[row].Precede(std::move(change));
    return {};
  }

  // Adds the pending changes to those that the keyspace has.
  Status WritePending() {
    WriteBatch batch;
    for (auto& [row, change] : pending_) {
      const EncodedKey key = EncodedKey::FromBytes(row);
      PinnedValue stored;
      DOLMEN_ASSIGN_OR_RETURN(const bool found, store_.Get(key, &stored));
      NetChange whole;
      if (found) {
        DOLMEN_ASSIGN_OR_RETURN(whole, DecodeNetChange({stored.data(), stored.size()}));
      }
      whole.Precede(std::move(change));
      batch.Put(key, EncodeNetChange(whole));
    }
    pending_.clear();
    bytes_written_ += std::exchange(pending_bytes_, 0);
    return store_.Write(std::move(batch), WriteDurability::kLater);
  }

  Status Deliver() {
    const Snapshot written(store_);
    const KeyRange all = AllOf(scratch_);
    const auto total = static_cast<double>(store_.ApproximateBytes(all));
    std::size_t bytes_read = 0;
    Cursor cursor(store_, all, ReadOptions{.snapshot = &written, .fills_cache = false});
    for (cursor.SeekToFirst(); cursor.Valid() && output_.complete; cursor.Next()) {
      DOLMEN_ASSIGN_OR_RETURN(NetChange change, DecodeNetChange(cursor.value()));
      DOLMEN_RETURN_IF_ERROR(DeliverChange(cursor.key(), std::move(change)));
      bytes_read += cursor.value().size();
      if (bytes_read < kPendingBytes) continue;
      bytes_read = 0;
      const auto done = static_cast<double>(
          store_.ApproximateBytes({all.lower, EncodedKey::FromBytes(cursor.key())}));
      Report(0.5 + 0.5 * (total > 0 ? std::min(done / total, 1.0) : 0));
    }
    return cursor.status();
  }

  // Calls the handler, unless the item was changed only after the period, or did not exist before and
  // does not exist after it.
  Status DeliverChange(std::string_view row, NetChange change) {
    if (!change.last) return {};
    if (!change.has_later) {
      PinnedValue present;
      DOLMEN_ASSIGN_OR_RETURN(
          const bool found,
          source_.store.Get(KeyIn(source_.table.keyspace, row), &present, &source_.snapshot));
      if (found) change.new_image = std::string(present.data(), present.size());
    }
    if (!change.old_image && !change.new_image) return {};
    ItemChange delivered{.time = *change.last};
    DOLMEN_RETURN_IF_ERROR(ViewImage(change.old_image, &delivered.old_image));
    DOLMEN_RETURN_IF_ERROR(ViewImage(change.new_image, &delivered.new_image));
    ++output_.items;
    return input_.on_change(delivered);
  }

  void Report(double fraction) {
    fraction_ = std::max(fraction_, fraction);
    if (!input_.progress) return;
    output_.complete = input_.progress({.bytes_copied = bytes_written_, .fraction = fraction_});
  }

  const CopySource& source_;
  const ReadChangesInput& input_;
  const KeyspaceId scratch_;
  Store& store_;
  ReadChangesOutput output_;
  std::map<std::string, NetChange> pending_;  // by the key in the keyspace scratch_
  std::size_t pending_bytes_ = 0;
  std::uint64_t bytes_written_ = 0;
  double fraction_ = 0;
};

}  // namespace

Result<ReadChangesOutput> ReadNetChanges(const CopySource& source, const ReadChangesInput& input,
                                         KeyspaceId scratch, Store* store) {
  return PeriodReader(source, input, scratch, store).Run();
}

}  // namespace dolmen::engine
