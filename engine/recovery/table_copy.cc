#include "engine/recovery/table_copy.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "engine/base/status_macros.h"
#include "engine/key/key_codec.h"
#include "engine/key/key_schema.h"
#include "engine/storage/cursor.h"
#include "engine/stream/change_record.h"
#include "engine/write/index_upkeep.h"

namespace dolmen::engine {
namespace {

constexpr std::size_t kCopiedBatchBytes = 1 << 20;

KeyRange AllOf(KeyspaceId keyspace) { return PrefixRange(EncodedKey(keyspace)); }

// The passes of a copy. For one thread.
class TableCopy {
 public:
  TableCopy(const CopySource& source, const TableSchema& target, Store* store,
            const CopyProgressHandler& progress)
      : source_(source), target_(target), store_(*store), progress_(progress) {
    passes_ = 1.0 + (source.time ? 1 : 0) + (reads_target() ? 1 : 0);
  }

  Status Run() {
    Report(0);
    DOLMEN_RETURN_IF_ERROR(CopyRows());
    if (source_.time) DOLMEN_RETURN_IF_ERROR(UndoChanges());
    return reads_target() ? ReadTarget() : Status();
  }

  const RestoreTableOutput& output() const { return output_; }

 private:
  // Returns true if the new rows are read, to build index entries or to count the rows.
  bool reads_target() const { return source_.time || !target_.indexes.empty(); }

  Status CopyRows() {
    Cursor cursor(source_.store, AllOf(source_.table.keyspace), ReadWithoutCache());
    for (cursor.SeekToFirst(); cursor.Valid() && output_.complete; cursor.Next()) {
      EncodedKey key(target_.keyspace);
      key.AppendRaw(cursor.key().substr(kKeyspaceBytes));
      Put(key, cursor.value());
      ++output_.items;
      DOLMEN_RETURN_IF_ERROR(Advance(source_.store, cursor));
    }
    DOLMEN_RETURN_IF_ERROR(cursor.status());
    return EndPass();
  }

  Status UndoChanges() {
    const StreamSchema& log = *source_.table.recovery_log;
    Cursor cursor(source_.store, AllOf(log.keyspace), ReadWithoutCache());
    for (cursor.SeekToLast(); cursor.Valid() && output_.complete; cursor.Previous()) {
      DOLMEN_ASSIGN_OR_RETURN(const Timestamp time, DecodeRecordTime(cursor.value()));
      if (time <= *source_.time) break;
      DOLMEN_RETURN_IF_ERROR(Undo(log, cursor.value()));
      DOLMEN_RETURN_IF_ERROR(Advance(source_.store, cursor));
    }
    DOLMEN_RETURN_IF_ERROR(cursor.status());
    return EndPass();
  }

  Status Undo(const StreamSchema& log, std::string_view bytes) {
    DOLMEN_ASSIGN_OR_RETURN(const StreamRecord& record,
                            DecodeRecord(log, source_.table.keys, log.first, bytes));
    const std::optional<KeyBytes> key = KeyOfStoredItem(target_.keys, record.keys.view());
    if (!key) return Status::Corruption("a record of the recovery log lacks the item's key");
    const EncodedKey row = RowKey(target_.keyspace, *key);
    if (record.old_image) {
      Put(row, record.old_image->view().bytes());
    } else {
      batch_.Delete(row);
      batch_bytes_ += row.bytes().size();
    }
    return {};
  }

  Status ReadTarget() {
    output_.items = 0;
    const Snapshot written(store_);
    Cursor cursor(store_, AllOf(target_.keyspace),
                  ReadOptions{.snapshot = &written, .fills_cache = false});
    for (cursor.SeekToFirst(); cursor.Valid() && output_.complete; cursor.Next()) {
      ++output_.items;
      DOLMEN_ASSIGN_OR_RETURN(const ItemView item, ItemView::Parse(cursor.value()));
      for (const IndexSchema& index : target_.indexes) {
        IndexEntry entry;
        DOLMEN_ASSIGN_OR_RETURN(const bool has_entry, MakeEntry(target_, index, item, &entry));
        if (has_entry) Put(entry.key, entry.bytes);
      }
      DOLMEN_RETURN_IF_ERROR(Advance(store_, cursor));
    }
    DOLMEN_RETURN_IF_ERROR(cursor.status());
    return EndPass();
  }

  ReadOptions ReadWithoutCache() const {
    return {.snapshot = &source_.snapshot, .fills_cache = false};
  }

  void Put(const EncodedKey& key, std::string_view value) {
    batch_.Put(key, value);
    batch_bytes_ += key.bytes().size() + value.size();
  }

  // Counts the row that the cursor shows in `reads`. Writes the batch after each megabyte of it, and
  // reports the progress after each megabyte that the pass has read.
  Status Advance(const Store& reads, const Cursor& cursor) {
    if (batch_bytes_ >= kCopiedBatchBytes) DOLMEN_RETURN_IF_ERROR(Write());
    bytes_read_ += cursor.key().size() + cursor.value().size();
    if (bytes_read_ < kCopiedBatchBytes) return {};
    bytes_read_ = 0;
    Report(PartBefore(reads, cursor.key()));
    return {};
  }

  // Returns the part of its pass that is done when the pass has reached `position` in the store
  // `reads`.
  double PartBefore(const Store& reads, std::string_view position) const {
    const KeyRange all = AllOf(KeyspaceOf(position));
    const auto total = static_cast<double>(reads.ApproximateBytes(all));
    auto done =
        static_cast<double>(reads.ApproximateBytes({all.lower, EncodedKey::FromBytes(position)}));
    const bool is_backward =
        KeyspaceOf(position) != source_.table.keyspace && KeyspaceOf(position) != target_.keyspace;
    if (is_backward) done = total - done;
    return total > 0 ? std::clamp(done / total, 0.0, 1.0) : 0;
  }

  Status Write() {
    bytes_written_ += std::exchange(batch_bytes_, 0);
    return store_.Write(std::exchange(batch_, WriteBatch()), WriteDurability::kLater);
  }

  Status EndPass() {
    DOLMEN_RETURN_IF_ERROR(Write());
    bytes_read_ = 0;
    ++passes_done_;
    Report(0);
    return {};
  }

  // `part` is the part of the current pass that is done.
  void Report(double part) {
    fraction_ = std::max(fraction_, (passes_done_ + part) / passes_);
    if (!progress_ || !output_.complete) return;
    output_.complete = progress_({.bytes_copied = bytes_written_, .fraction = fraction_});
  }

  const CopySource& source_;
  const TableSchema& target_;
  Store& store_;
  const CopyProgressHandler& progress_;
  RestoreTableOutput output_;
  WriteBatch batch_;
  std::size_t batch_bytes_ = 0;
  std::size_t bytes_read_ = 0;  // since the last report
  std::uint64_t bytes_written_ = 0;
  double passes_ = 1;
  double passes_done_ = 0;
  double fraction_ = 0;
};

}  // namespace

Result<RestoreTableOutput> CopyTable(const CopySource& source, const TableSchema& target,
                                     Store* store, const CopyProgressHandler& progress) {
  TableCopy copy(source, target, store, progress);
  DOLMEN_RETURN_IF_ERROR(copy.Run());
  return copy.output();
}

}  // namespace dolmen::engine
