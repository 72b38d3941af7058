#include "engine/background/sweeper.h"

#include <algorithm>
#include <limits>

#include "engine/base/start_thread.h"
#include "engine/base/status_macros.h"
#include "engine/storage/cursor.h"
#include "engine/write/atomic_write.h"

namespace dolmen::engine {
namespace {

// The number of rows in one batch. The rows of a batch are locked and deleted together.
constexpr std::size_t kRowsPerStep = 32;

// Returns a copy of `context` whose writes wait for conflicting transactions, even if the database
// was opened with OnConflict::kFail.
WriteContext WithWaitOnConflict(WriteContext context) {
  context.on_conflict = OnConflict::kWait;
  return context;
}

// Returns the key of the row that an entry of the expiry index belongs to.
EncodedKey DecodeRowKey(const TableSchema& schema, std::string_view entry) {
  EncodedKey row(schema.keyspace);
  row.AppendRaw(entry.substr(PrefixBytes(entry, schema.expiry->index.keys.attributes().size())));
  return row;
}

}  // namespace

Sweeper::Sweeper(const WriteContext& context, Catalog* catalog, Lag lag)
    : context_(WithWaitOnConflict(context)), catalog_(catalog), lag_(lag) {}

Sweeper::~Sweeper() {
  {
    const MutexLock lock(mutex_);
    stop_ = true;
  }
  changed_.NotifyAll();
  if (thread_.joinable()) thread_.join();
}

void Sweeper::StartIfNeeded() {
  if (!lag_ || !HasWork()) return;
  const MutexLock lock(mutex_);
  // If the thread cannot start, the next call of StartIfNeeded() tries again.
  if (!thread_.joinable()) {
    StartThread(
        "to delete expired items and streams", [this] { RunThread(); }, &thread_)
        .IgnoreError();
  }
}

bool Sweeper::HasWork() const {
  if (catalog_->HasDisabledStreams()) return true;
  const std::vector<LiveTableRef> tables = catalog_->Tables();
  return std::any_of(tables.begin(), tables.end(), [](const LiveTableRef& table) {
    const TableSchema* const schema = table->schema();
    return schema != nullptr && schema->expiry;
  });
}

void Sweeper::RunThread() {
  using Clock = std::chrono::steady_clock;
  while (!stop_) {
    SweepAll();
    const MutexLock lock(mutex_);
    const Clock::time_point deadline = Clock::now() + ClampWait(*lag_);
    while (!stop_ && Clock::now() < deadline) changed_.WaitUntil(mutex_, deadline);
  }
}

void Sweeper::SweepAll() {
  for (const LiveTableRef& table : catalog_->Tables()) {
    // Ignores errors, for example that the disk is full: the next sweep finds the same items again.
    Sweep(*table, std::numeric_limits<std::uint64_t>::max()).status().IgnoreError();
    if (stop_) return;
  }
  // Ignores an error, because the next sweep finds the same streams again.
  catalog_->DropOldStreams().IgnoreError();
}

Result<std::uint64_t> Sweeper::Sweep(const LiveTable& table, std::uint64_t items_max) {
  DOLMEN_RETURN_IF_ERROR(context_.store.CheckWritable());
  const Timestamp now = context_.clock.Now();
  std::uint64_t deleted = 0;
  Status damage;
  EncodedKey from;  // the key after the entries that were read
  while (deleted < items_max && !stop_) {
    const TableSchema* const schema = table.schema();
    if (schema == nullptr) return NoSuchTable();
    if (!schema->expiry) break;
    const auto rows_max =
        static_cast<std::size_t>(std::min<std::uint64_t>(kRowsPerStep, items_max - deleted));
    const auto rows = NextRows(*schema, ExpiryCutoff(*schema->expiry, now), rows_max, &from);
    if (!rows.ok()) return rows.status();
    if (rows->empty()) break;
    Result<std::uint64_t> expired = Expire(table, *rows);
    if (expired.status().code() == StatusCode::kCorruption) {
      if (damage.ok()) damage = expired.status();
      expired = ExpireUndamaged(table, *rows);
    }
    if (!expired.ok()) return expired.status();
    deleted += *expired;
  }
  if (!damage.ok()) return damage;
  return deleted;
}

Result<std::vector<EncodedKey>> Sweeper::NextRows(const TableSchema& schema,
                                                  const ExpiryCutoff& expired,
                                                  std::size_t count_max, EncodedKey* from) const {
  KeyRange entries = expired.Entries();
  // Resumes the sweep at `*from`. If `*from` is outside `entries`, begins at the start of
  // `entries`: either the sweep is new, or the time to live was disabled and enabled again during
  // the sweep.
  if (entries.Contains(from->bytes())) entries.lower = *from;
  std::vector<EncodedKey> rows;
  Cursor cursor(context_.store, entries);
  for (cursor.SeekToFirst(); cursor.Valid() && rows.size() < count_max; cursor.Next()) {
    rows.push_back(DecodeRowKey(schema, cursor.key()));
    *from = EncodedKey::FromBytes(cursor.key());
    from->AdvancePast();
  }
  DOLMEN_RETURN_IF_ERROR(cursor.status());
  return rows;
}

Result<std::uint64_t> Sweeper::ExpireUndamaged(const LiveTable& table,
                                               const std::vector<EncodedKey>& rows) const {
  std::uint64_t deleted = 0;
  for (const EncodedKey& row : rows) {
    const Result<std::uint64_t> expired = Expire(table, {row});
    if (expired.ok()) deleted += *expired;
    if (!expired.ok() && expired.status().code() != StatusCode::kCorruption) return expired;
  }
  return deleted;
}

Result<std::uint64_t> Sweeper::Expire(const LiveTable& table,
                                      const std::vector<EncodedKey>& rows) const {
  for (;;) {
    PreparedWrites writes;
    for (const EncodedKey& row : rows) {
      DOLMEN_RETURN_IF_ERROR(writes.Add(table, ExpireInput{row}));
    }
    DOLMEN_ASSIGN_OR_RETURN(const WriteVerdict verdict,
                            writes.Commit(context_, {.durability = WriteDurability::kLater}, {}));
    if (verdict == WriteVerdict::kSchemaChanged) continue;
    std::uint64_t deleted = 0;
    for (const ActionOutcome& outcome : writes.outcomes()) {
      if (!outcome.status.ok()) return outcome.status;
      if (outcome.size_before > 0) ++deleted;
    }
    return deleted;
  }
}

}  // namespace dolmen::engine
