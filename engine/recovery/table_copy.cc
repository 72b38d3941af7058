#include "engine/recovery/table_copy.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "engine/base/status_macros.h"
#include "engine/key/key_codec.h"
#include "engine/key/key_schema.h"
#include "engine/load/new_table.h"
#include "engine/storage/cursor.h"
#include "engine/stream/change_record.h"

namespace dolmen::engine {
namespace {

constexpr std::size_t kReportedBytes = 1 << 20;

KeyRange AllOf(KeyspaceId keyspace) { return PrefixRange(EncodedKey(keyspace)); }

// The passes of a copy: over the rows of the source, over its recovery log, and the writing of the new table. For one
// thread.
class TableCopy {
 public:
  TableCopy(const CopySource& source, const TableSchema& target, NewTableRows* rows,
            const CopyProgressHandler& progress)
      : source_(source), target_(target), rows_(*rows), progress_(progress) {
    passes_ = 2.0 + (source.time ? 1 : 0);
  }

  Status Run() {
    Report(0);
    DOLMEN_RETURN_IF_ERROR(CopyRows());
    if (source_.time && output_.complete) DOLMEN_RETURN_IF_ERROR(UndoChanges());
    if (!output_.complete) return {};
    DOLMEN_ASSIGN_OR_RETURN(output_.complete, rows_.Finish([&, read = bytes_](const auto& written) {
      bytes_ = read + written.bytes_copied;
      Report(written.fraction);
      return output_.complete;
    }));
    output_.items = output_.complete ? rows_.items() : 0;
    return {};
  }

  const RestoreTableOutput& output() const { return output_; }

 private:
  Status CopyRows() {
    Cursor cursor(source_.store, AllOf(source_.table.keyspace), ReadWithoutCache());
    for (cursor.SeekToFirst(); cursor.Valid() && output_.complete; cursor.Next()) {
      EncodedKey key(target_.keyspace);
      key.AppendRaw(cursor.key().substr(kKeyspaceBytes));
      DOLMEN_RETURN_IF_ERROR(rows_.Put(key, cursor.value()));
      Advance(cursor);
    }
    DOLMEN_RETURN_IF_ERROR(cursor.status());
    EndPass();
    return {};
  }

  Status UndoChanges() {
    const StreamSchema& log = *source_.table.recovery_log;
    Cursor cursor(source_.store, AllOf(log.keyspace), ReadWithoutCache());
    for (cursor.SeekToLast(); cursor.Valid() && output_.complete; cursor.Previous()) {
      DOLMEN_ASSIGN_OR_RETURN(const Timestamp time, DecodeRecordTime(cursor.value()));
      if (time <= *source_.time) break;
      DOLMEN_RETURN_IF_ERROR(Undo(log, cursor.value()));
      Advance(cursor);
    }
    DOLMEN_RETURN_IF_ERROR(cursor.status());
    EndPass();
    return {};
  }

  Status Undo(const StreamSchema& log, std::string_view bytes) {
    DOLMEN_ASSIGN_OR_RETURN(const StreamRecord& record,
                            DecodeRecord(log, source_.table.keys, log.first, bytes));
    const std::optional<KeyBytes> key = KeyOfStoredItem(target_.keys, record.keys.view());
    if (!key) return Status::Corruption("a record of the recovery log lacks the item's key");
    const EncodedKey row = RowKey(target_.keyspace, *key);
    return record.old_image ? rows_.Put(row, record.old_image->view().bytes()) : rows_.Remove(row);
  }

  ReadOptions ReadWithoutCache() const {
    return {.snapshot = &source_.snapshot, .fills_cache = false};
  }

  // Counts the row that the cursor shows. Reports the progress after each megabyte that the pass has read.
  void Advance(const Cursor& cursor) {
    bytes_read_ += cursor.key().size() + cursor.value().size();
    if (bytes_read_ < kReportedBytes) return;
    bytes_ += std::exchange(bytes_read_, 0);
    Report(PartBefore(cursor.key()));
  }

  // Returns the part of its pass that is done when the pass has reached `position`.
  double PartBefore(std::string_view position) const {
    const KeyRange all = AllOf(KeyspaceOf(position));
    const auto total = static_cast<double>(source_.store.ApproximateBytes(all));
    auto done = static_cast<double>(
        source_.store.ApproximateBytes({all.lower, EncodedKey::FromBytes(position)}));
    const bool is_backward = KeyspaceOf(position) != source_.table.keyspace;
    if (is_backward) done = total - done;
    return total > 0 ? std::clamp(done / total, 0.0, 1.0) : 0;
  }

  void EndPass() {
    bytes_read_ = 0;
    ++passes_done_;
    Report(0);
  }

  // `part` is the part of the current pass that is done.
  void Report(double part) {
    fraction_ = std::max(fraction_, (passes_done_ + part) / passes_);
    if (!progress_ || !output_.complete) return;
    output_.complete = progress_({.bytes_copied = bytes_, .fraction = fraction_});
  }

  const CopySource& source_;
  const TableSchema& target_;
  NewTableRows& rows_;
  const CopyProgressHandler& progress_;
  RestoreTableOutput output_;
  std::size_t bytes_read_ = 0;  // since the last report
  std::uint64_t bytes_ = 0;     // read and written
  double passes_ = 1;
  double passes_done_ = 0;
  double fraction_ = 0;
};

}  // namespace

Result<RestoreTableOutput> CopyTable(const CopySource& source, const TableSchema& target,
                                     NewTableRows* rows, const CopyProgressHandler& progress) {
  TableCopy copy(source, target, rows, progress);
  DOLMEN_RETURN_IF_ERROR(copy.Run());
  return copy.output();
}

}  // namespace dolmen::engine
