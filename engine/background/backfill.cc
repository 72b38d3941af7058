#include "engine/background/backfill.h"

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include "engine/base/start_thread.h"
#include "engine/base/status_macros.h"
#include "engine/schema/catalog_entries.h"
#include "engine/storage/cursor.h"
#include "engine/write/index_upkeep.h"

namespace dolmen::engine {
namespace {

// The number of rows in one batch. The rows of a batch are locked together, and their entries are
// written together.
constexpr std::size_t kRowsPerBatch = 32;
// The number of batches after which a new cursor is created. An old cursor pins files and memory.
constexpr std::size_t kBatchesPerRun = 128;

constexpr auto kPauseAfterFailure = std::chrono::seconds(1);

const IndexSchema* FindBackfilling(const TableSchema* table) {
  return table != nullptr ? table->FindBackfilling() : nullptr;
}

KeyRange TableRows(const TableSchema& table) { return PrefixRange(EncodedKey(table.keyspace)); }

}  // namespace

class Backfiller::Run {
 public:
  Run(Store& store, LockTable& locks, const Work& work, const KeyRange& rows)
      : store_(store),
        locks_(locks),
        work_(work),
        sequence_(store.LatestSequence()),
        cursor_(store, rows) {
    cursor_.SeekToFirst();
  }

  // Returns true if rows remain to be backfilled.
  bool Valid() const { return cursor_.Valid(); }
  Status status() const { return cursor_.status(); }

  // Builds the entries of the next batch of rows. Returns false if the index was deleted.
  Result<bool> WriteNextBatch() {
    ReadRows();
    std::vector<LockTable::RowHash> hashes;
    for (const Row& row : rows_) hashes.push_back(LockTable::HashOf(row.key));
    LockTable::Guard guard(locks_);
    guard.Lock(hashes, LockTable::Holder::kUpkeep, OnConflict::kWait);
    const TableSchema* const table = work_.table->schema();
    const IndexSchema* const index = table != nullptr ? table->FindIndex(work_.index) : nullptr;
    if (index == nullptr) return false;
    if (store_.LatestSequence() != sequence_) {
      DOLMEN_RETURN_IF_ERROR(RereadRows());
    }
    WriteBatch batch;
    for (const Row& row : rows_) {
      DOLMEN_RETURN_IF_ERROR(PutEntry(*table, *index, row, &batch));
    }
    batch.Put(BackfillKey(work_.index), position().bytes());
    sequence_ += batch.count();
    DOLMEN_RETURN_IF_ERROR(store_.Write(std::move(batch), WriteDurability::kLater));
    return true;
  }

  // Return the number of rows in the last batch, and the key of the last row in that batch.
  std::size_t items() const { return rows_.size(); }
  const EncodedKey& position() const { return rows_.back().key; }

 private:
  struct Row {
    EncodedKey key;
    std::string bytes;  // empty: the row was deleted
  };

  void ReadRows() {
    rows_.clear();
    for (; cursor_.Valid() && rows_.size() < kRowsPerBatch; cursor_.Next()) {
      rows_.push_back({EncodedKey::FromBytes(cursor_.key()), std::string(cursor_.value())});
    }
  }

  // Reads the batch's rows again while they are locked. This is necessary if another thread wrote
  // to the store after the cursor was created, because the cursor does not see the later writes.
  Status RereadRows() {
    std::vector<EncodedKey> keys;
    for (const Row& row : rows_) keys.push_back(row.key);
    std::vector<PinnedValue> values(keys.size());
    std::vector<bool> found;
    DOLMEN_RETURN_IF_ERROR(store_.MultiGet(keys, values, &found));
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      rows_[i].bytes = found[i] ? values[i].ToString() : std::string();
    }
    return {};
  }

  static Status PutEntry(const TableSchema& table, const IndexSchema& index, const Row& row,
                         WriteBatch* batch) {
    if (row.bytes.empty()) return {};
    DOLMEN_ASSIGN_OR_RETURN(const ItemView item, ItemView::Parse(row.bytes));
    IndexEntry entry;
    DOLMEN_ASSIGN_OR_RETURN(const bool has_entry, MakeEntry(table, index, item, &entry));
    if (has_entry) batch->Put(entry.key, entry.bytes);
    return {};
  }

  Store& store_;
  LockTable& locks_;
  const Work& work_;
  // The sequence number that the store has if only this run has written since the cursor was
  // created. If the store has a different number, another thread has written.
  std::uint64_t sequence_;
  Cursor cursor_;
  std::vector<Row> rows_;
};

Backfiller::~Backfiller() {
  {
    const MutexLock lock(mutex_);
    stop_ = true;
  }
  changed_.NotifyAll();
  if (thread_.joinable()) thread_.join();
}

void Backfiller::Wake() {
  const std::optional<Work> work = NextWork();
  {
    const MutexLock lock(mutex_);
    woken_ = true;
    if (work && !thread_.joinable()) StartThreadFor(work->index);
  }
  changed_.NotifyAll();
}

void Backfiller::NotifyWaiters() {
  // Takes the lock, so that the notification reaches every waiter. A waiter holds the lock from the
  // moment when it tests its condition until it waits.
  { const MutexLock lock(mutex_); }
  changed_.NotifyAll();
}

void Backfiller::StartThreadFor(KeyspaceId index) {
  // If the thread cannot start, the next call of Wake() or Wait() tries again.
  Status started = StartThread(
      "to backfill indexes", [this] { RunThread(); }, &thread_);
  if (!started.ok()) {
    progress_[index].status = std::move(started);
  } else {
    progress_.clear();  // holds nothing but errors of earlier starts
  }
}

std::optional<Backfiller::Work> Backfiller::NextWork() const {
  const std::vector<LiveTableRef> tables = catalog_->Tables();
  const Clock::time_point now = Clock::now();
  const MutexLock lock(mutex_);
  for (const LiveTableRef& table : tables) {
    const IndexSchema* const index = FindBackfilling(table->schema());
    if (index == nullptr) continue;
    const auto known = progress_.find(index->keyspace);
    if (known != progress_.end() && known->second.retry_at > now) continue;
    return Work{table, index->keyspace};
  }
  return std::nullopt;
}

Backfiller::Clock::time_point Backfiller::NextRetry() {
  const Clock::time_point now = Clock::now();
  Clock::time_point next = Clock::time_point::max();
  for (auto it = progress_.begin(); it != progress_.end();) {
    if (it->second.status.ok() || it->second.retry_at > now) {
      if (!it->second.status.ok()) next = std::min(next, it->second.retry_at);
      ++it;
    } else {
      // The next attempt at this index is due, but NextWork() found no index to backfill. Either
      // the attempt became due after NextWork() had looked, or the index was deleted. In both cases
      // this code removes the failure of the last attempt, and the thread calls NextWork() again.
      it = progress_.erase(it);
      next = now;
    }
  }
  return next;
}

void Backfiller::RunThread() {
  for (;;) {
    {
      const MutexLock lock(mutex_);
      if (stop_) return;
      woken_ = false;
    }
    if (const std::optional<Work> work = NextWork()) {
      BackfillIndex(*work);
      continue;
    }
    const MutexLock lock(mutex_);
    const Clock::time_point retry = NextRetry();
    while (!stop_ && !woken_ && Clock::now() < retry) {
      if (retry == Clock::time_point::max()) {
        changed_.Wait(mutex_);
      } else {
        changed_.WaitUntil(mutex_, retry);
      }
    }
  }
}

void Backfiller::BackfillIndex(const Work& work) {
  // Waits until every writer that uses the schema without the index has ended. These writers build
  // no entries in the new index. The cursor is created after the wait, so it sees the rows that
  // these writers have inserted.
  locks_->WaitForAll();
  for (;;) {
    const Result<Outcome> outcome = BackfillBatches(work);
    if (!outcome.ok()) return KeepFailure(work.index, outcome.status());
    if (*outcome == Outcome::kClosing) return;
    if (*outcome == Outcome::kDone) break;
  }
  const Status published = catalog_->FinishBackfill(*work.table, work.index);
  if (!published.ok()) return KeepFailure(work.index, published);
  {
    const MutexLock lock(mutex_);
    progress_.erase(work.index);
  }
  changed_.NotifyAll();
}

Result<Backfiller::Outcome> Backfiller::BackfillBatches(const Work& work) {
  const TableSchema* const table = work.table->schema();
  if (table == nullptr) return Outcome::kDone;
  KeyRange rows = TableRows(*table);
  DOLMEN_ASSIGN_OR_RETURN(rows.lower, ReadResumeKey(*table, work.index));
  Run run(*store_, *locks_, work, rows);
  for (std::size_t i = 0; i < kBatchesPerRun && run.Valid(); ++i) {
    DOLMEN_ASSIGN_OR_RETURN(const bool written_batch, run.WriteNextBatch());
    if (!written_batch) return Outcome::kDone;
    if (!AddItemsRead(work.index, run.items())) return Outcome::kClosing;
  }
  DOLMEN_RETURN_IF_ERROR(run.status());
  return run.Valid() ? Outcome::kMore : Outcome::kDone;
}

Result<EncodedKey> Backfiller::ReadResumeKey(const TableSchema& table, KeyspaceId index) const {
  PinnedValue bytes;
  DOLMEN_ASSIGN_OR_RETURN(const bool found, store_->Get(BackfillKey(index), &bytes));
  if (!found) return TableRows(table).lower;
  EncodedKey position = EncodedKey::FromBytes({bytes.data(), bytes.size()});
  if (!TableRows(table).Contains(position.bytes())) {
    return Status::Corruption("the stored position of an index's backfill is damaged");
  }
  position.AdvancePast();
  return position;
}

bool Backfiller::AddItemsRead(KeyspaceId index, std::size_t items) {
  const MutexLock lock(mutex_);
  Progress& progress = progress_[index];
  progress.items_read += items;
  progress.status = {};
  return !stop_;
}

void Backfiller::KeepFailure(KeyspaceId index, const Status& status) {
  {
    const MutexLock lock(mutex_);
    Progress& progress = progress_[index];
    progress.status = status;
    // Retries after a storage error, because a full disk may later have free space. Does not retry
    // after damage, because damage is permanent.
    progress.retry_at = status.code() == StatusCode::kStorage ? Clock::now() + kPauseAfterFailure
                                                              : Clock::time_point::max();
  }
  changed_.NotifyAll();
}

BackfillProgress Backfiller::GetProgress(const TableSchema& table, KeyspaceId index) const {
  BackfillProgress result;
  const KeyRange all = TableRows(table);
  EncodedKey position = all.lower;
  if (Result<EncodedKey> start = ReadResumeKey(table, index); start.ok())
    position = *std::move(start);
  {
    const MutexLock lock(mutex_);
    const auto known = progress_.find(index);
    if (known != progress_.end()) {
      result.items_read = known->second.items_read;
      result.status = known->second.status;
    }
  }
  const std::uint64_t done = store_->ApproximateBytes({all.lower, position});
  const std::uint64_t total = store_->ApproximateBytes(all);
  if (total > 0) {
    result.fraction = std::min(static_cast<double>(done) / static_cast<double>(total), 1.0);
  }
  return result;
}

Status Backfiller::Wait(const LiveTable& table) {
  const MutexLock lock(mutex_);
  for (;;) {
    const IndexSchema* const index = FindBackfilling(table.schema());
    if (index == nullptr) break;
    // A read-only store builds no indexes. Without this check, Wait() would wait forever.
    DOLMEN_RETURN_IF_ERROR(store_->CheckWritable());
    if (!thread_.joinable()) StartThreadFor(index->keyspace);
    const auto known = progress_.find(index->keyspace);
    if (known != progress_.end() && !known->second.status.ok()) return known->second.status;
    changed_.Wait(mutex_);
  }
  return table.schema() != nullptr ? Status() : NoSuchTable();
}

}  // namespace dolmen::engine
