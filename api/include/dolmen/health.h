// The care of a database: its memory and disk space (Database::Stats), the search for damage
// (Database::Verify), backups (Database::Backup and Database::Restore), and the repair of a damaged
// database (Repair). Backups and points in time of single tables (Database::CreateBackup).
//
//   const auto report = db.Verify([](const VerifyProgress& progress) {
//     std::cerr << static_cast<int>(progress.fraction * 100) << " %\r";
//     return true;
//   });
//   if (report.ok() && report->finding_count == 0) std::cout << "intact";

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dolmen/attribute_value.h"
#include "dolmen/clock.h"
#include "dolmen/create_table.h"
#include "dolmen/internal/function.h"
#include "dolmen/item_view.h"
#include "dolmen/open_options.h"
#include "dolmen/operations.h"
#include "dolmen/result.h"

namespace dolmen {

// The sizes of a database at one moment. RocksDB reports the sizes on disk and in memory.
struct DatabaseStats {
  std::uint64_t tables = 0;

  // Sizes on disk. All are zero for a database in memory.
  std::uint64_t table_files = 0;       // number of RocksDB's table files
  std::uint64_t table_file_bytes = 0;  // compressed, as stored
  std::uint64_t log_bytes = 0;         // writes that no table file holds yet

  // Sizes in memory, in bytes.
  std::uint64_t memory_table_bytes = 0;  // table files of a database in memory; otherwise zero
  std::uint64_t write_buffer_bytes = 0;  // recent writes (OpenOptions::write_buffer_bytes)
  std::uint64_t cache_bytes = 0;         // the used part of OpenOptions::cache_bytes
  std::uint64_t row_cache_bytes = 0;     // the used part of OpenOptions::row_cache_bytes

  // The reads since the database was opened that the row cache answered, the reads that it did not
  // answer, and the number of its entries that were evicted because it was full.
  std::uint64_t row_cache_hits = 0;
  std::uint64_t row_cache_misses = 0;
  std::uint64_t row_cache_evictions = 0;

  // An estimate of the bytes that compactions in the background still have to rewrite. While no
  // program writes, the number falls to zero.
  std::uint64_t pending_compaction_bytes = 0;
};

// One piece of damage: a block that cannot be read, an item with damaged bytes, an index entry that
// is missing or has no item, or a damaged stream record.
struct VerifyFinding {
  std::string table = {};    // empty: the finding is about a file, or its table is unknown
  std::string index = {};    // empty: the finding is about the table itself
  std::string message = {};  // the damage, with the item's key where it is known
};

// An index whose backfill has not ended. Missing entries of this index are not findings, because
// the backfill may still write them.
struct UnfinishedIndex {
  std::string table = {};
  std::string index = {};  // empty: the index of the table's time to live
};

// The result of a search for damage.
struct VerifyOutput {
  // The numbers of items, index entries and stream records that the search has read in all tables.
  std::uint64_t items = 0;
  std::uint64_t index_entries = 0;
  std::uint64_t stream_records = 0;

  // The number of findings; 0 if the database is intact.
  std::uint64_t finding_count = 0;
  std::vector<VerifyFinding> findings = {};  // the first hundred

  std::vector<UnfinishedIndex> unfinished_indexes = {};

  // False if the progress handler ended the search. The numbers then cover only a part of the
  // data.
  bool complete = true;
};

// The progress of a search for damage.
struct VerifyProgress {
  std::string table = {};        // the table that is being read; empty: a file
  std::uint64_t items_read = 0;  // of all tables
  double fraction = 0;           // estimated part of the bytes read, 0 to 1; never decreases
};

// A function that Verify calls repeatedly, on the thread that called Verify. The function returns
// true to continue and false to end the search.
using VerifyProgressHandler = internal::Function<bool(const VerifyProgress&)>;

// --- backups ---
//
//   const auto backup = db.Backup("/mnt/disk/app.backup");
//   if (!backup.ok()) return backup.status();
//   ...
//   const auto restored = Database::Restore("/mnt/disk/app.backup", "app.dolmen");
//
// A backup is a directory. It has the state of the database at one moment while Backup ran: every
// write that was acknowledged before the call and, of the writes during the call, those up to some
// moment. It keeps tables, indexes, streams, positions of subscriptions and request tokens.
//
// - A directory keeps one backup, the newest complete one. Until a backup is complete, and after an
//   error or a crash, the former backup in the directory stays as it was.
// - Only new files are copied. A backup into the same directory copies what was written and
//   compacted since the former backup, and the logs, which are about as large as two write buffers.
// - Writes do not wait. Data that is overwritten or deleted during a backup keeps its space on disk
//   until the backup ends.
// - Restore checks the checksum of every file. Backup does not read the files again that the backup
//   has already. It copies damage of the database, too: Verify finds damage.
// - Only the owner of the process may read the files.
//
// Database::Backup needs a directory that is absent or empty, or holds a backup of this database. A
// database in memory can be backed up, too; Restore makes it a database on disk. Errors:
// - kValidation: the directory holds something else, or the backup of another database.
// - kValidation: the directory is within the database's directory.
// - kValidation: the database was opened with read_only.
// - kValidation: the key is not the key of the earlier backup in the directory.
// - kUnsupportedFormat: a newer release of Dolmen wrote the backup in the directory.
// - kResourceInUse: a backup into the directory, or a restore from it or into it, is running.
// - kCorruption: the backup in the directory is damaged, so use another directory; or a file of the
//   database is missing.
// - kStorage: a file cannot be read or written, or an earlier write failed (WriteFailure).
//
// Database::Restore needs a directory that is absent or empty. After an error or a crash the
// directory holds no database. Errors:
// - kValidation: there is no complete backup, or the directory is neither absent nor empty.
// - kValidation: the key is not the key of the backup.
// - kUnsupportedFormat: a newer release of Dolmen wrote the backup.
// - kResourceInUse: a backup into the backup's directory, or another restore from it, is running.
// - kResourceInUse: another restore into the directory is running, or a database is being created there.
// - kCorruption: the backup is damaged.
// - kStorage: a file cannot be read or written.

// The progress of a backup or of a restore.
struct CopyProgress {
  std::uint64_t bytes_copied = 0;
  double fraction = 0;  // estimated part of the bytes to copy, 0 to 1; never decreases
};

// A function that copies call after each megabyte at most. A restore of a table also calls it once,
// when it has checked its input and before it copies anything. They call it on any thread, one call
// at a time. The function returns true to continue and false to end the copying. It must not throw.
using CopyProgressHandler = internal::Function<bool(const CopyProgress&)>;

struct BackupOptions {
  CopyProgressHandler progress = {};
  // The key that encrypts the backup. Nothing: the key of the database, if it has one. All backups
  // into one directory need the same key.
  std::optional<EncryptionKey> encryption_key = std::nullopt;
};

struct RestoreOptions {
  CopyProgressHandler progress = {};
  // The key of the backup, which becomes the key of the restored database. Nothing: the backup is
  // not encrypted.
  std::optional<EncryptionKey> encryption_key = std::nullopt;
};

// The result of a backup or of a restore.
struct CopyOutput {
  std::uint64_t bytes = 0;         // the size of the backup's files
  std::uint64_t bytes_copied = 0;  // the bytes written, without the files that existed before
  // False if the progress handler ended the copying. The directory then has the former backup, if
  // it had one. A restore leaves nothing.
  bool complete = true;
};

// --- backups of tables ---
//
//   const auto backup = db.CreateBackup({.table_name = "app", .backup_name = "before-import"});
//   if (!backup.ok()) return backup.status();
//   ...
//   const auto restored =
//       db.RestoreTableFromBackup({.backup_id = backup->id, .target = {.table_name = "app-old"}});
//
// A backup of a table has the state of the table at one moment while CreateBackup ran. It exists
// until DeleteBackup, even if the table is deleted. It is stored in the directory of the database,
// or in memory. It shares its files with the database, so CreateBackup takes as long as linking the
// files of the database, and writes do not wait. The backup keeps the space of files that the
// database has rewritten since. A backup of the whole database (Database::Backup), Fork, Reset and
// Repair leave the backups of tables out. For a copy on another disk use Database::Backup.
//
// UpdateContinuousBackups makes the database record the former version of each item that a write
// changes. This costs a write as much as a stream. From then on, RestoreTableToPointInTime can
// restore each moment of the last 1 to 35 days, by the database's clock. A backup of the whole
// database, Fork and Repair keep these records.
//
// A restore creates a new table. The table has the items, the keys, the indexes and the annotations
// of the source, but no time to live, no stream, no deletion protection and no point-in-time
// recovery. The table is TableStatus::kCreating until it is complete. After an error or a crash the
// table does not exist. A restore reads the items of the source once, and for a point in time also
// the changes since then once. If the table has indexes, it reads the new items once more.

// A backup of a table.
struct TableBackup {
  std::string id = {};    // unique in the database, for example "01760000000000-1a2b3c4d"
  std::string name = {};  // as CreateBackup set it
  // True: DeleteTable created the backup, because the table had point-in-time recovery.
  bool by_service = false;
  Timestamp created_at = {};                 // by the database's clock
  std::optional<Timestamp> expires_at = {};  // the time of its deletion; only if by_service
  TableDescription table = {};               // the table at that time
  std::string time_to_live_attribute = {};   // empty: the table had no time to live
};

// A backup to create (Database::CreateBackup).
struct CreateBackupInput {
  std::string table_name = {};
  std::string backup_name = {};  // 3 to 255 characters of a-z A-Z 0-9 _ - .; need not be unique
};

// A function that gets an item. The view of the item lives during the call.
using ItemHandler = internal::Function<Status(const ItemView&)>;

// The table that a restore creates.
struct RestoreTarget {
  std::string table_name = {};
  // The indexes. Nothing: all indexes of the source. An index must have the keys and the projection
  // of an index of the source, but may have another name.
  std::optional<std::vector<GlobalSecondaryIndex>> global_secondary_indexes = {};
  std::optional<std::vector<LocalSecondaryIndex>> local_secondary_indexes = {};
  std::optional<Map> annotations = {};  // nothing: those of the source
  CopyProgressHandler progress = {};
  // If it is set, the restore creates no table. It calls the function with each item that it would
  // restore, in the order of the keys, and ends with the first error that the function returns. It
  // ignores the other members, except `progress`. It needs as much disk space as a restore.
  ItemHandler on_item = {};
};

struct RestoreTableFromBackupInput {
  std::string backup_id = {};
  RestoreTarget target = {};
};

struct RestoreTableToPointInTimeInput {
  std::string source_table_name = {};
  // The table gets each change up to and including this time. Nothing: the present.
  std::optional<Timestamp> restore_time = {};
  RestoreTarget target = {};
};

// The result of a restore of a table.
struct RestoreTableOutput {
  std::uint64_t items = 0;
  // False if the progress handler ended the restore. The table does not exist then.
  bool complete = true;
};

// The net change of an item during a period. The views live during the call of the handler.
struct ItemChange {
  Timestamp time = {};                     // of the last change in the period
  std::optional<ItemView> old_image = {};  // at the begin of the period; nothing: no item
  std::optional<ItemView> new_image = {};  // at the end of the period; nothing: no item
};

// A function that gets the change of an item. At least one of its images is present.
using ItemChangeHandler = internal::Function<Status(const ItemChange&)>;

// A period whose changes are read. The table needs point-in-time recovery. Database::ReadChanges reads
// the recorded changes since the begin of the period once, and needs as much disk space as they do.
// Consecutive periods together have each change of the table, if the clock is not before the end of the
// last period when the database is reopened. Otherwise later writes may get times in a period that was
// read already. Errors:
// - kResourceNotFound: the table does not exist.
// - kPointInTimeRecoveryUnavailable: the table has no point-in-time recovery.
// - kInvalidRestoreTime: the period is empty, begins before earliest_restore_time, or ends in the
//   future.
// - kValidation: the database was opened with read_only, or is remote.
// - the first error that on_change returns.
struct ReadChangesInput {
  std::string table_name = {};
  Timestamp from = {};  // the period contains this time
  Timestamp to = {};    // the period ends before this time
  // Called with each item that the period has changed, in the order of the keys. An item that was
  // created and deleted in the period has no change. An item that a write has changed and another
  // write has changed back has one, with equal images.
  ItemChangeHandler on_change = {};
  CopyProgressHandler progress = {};
};

struct ReadChangesOutput {
  std::uint64_t items = 0;  // the number of changes
  bool complete = true;     // false if the progress handler ended the read
};

// The point-in-time recovery of a table.
struct PointInTimeRecovery {
  bool enabled = false;
  std::uint32_t period_days = 0;         // 1 to 35; 0 if not enabled
  Timestamp earliest_restore_time = {};  // the later of the enabling and the begin of the period
};

// A change of a table's point-in-time recovery (Database::UpdateContinuousBackups).
struct UpdateContinuousBackupsInput {
  std::string table_name = {};
  bool enabled = true;
  std::optional<std::uint32_t> period_days = {};  // nothing: the period as it is, or 35
};

// --- repair ---
//
//   const auto repaired = dolmen::Repair("app.dolmen", "repaired.dolmen");
//   if (!repaired.ok()) return repaired.status();
//   for (const RepairLoss& loss : repaired->losses) std::cerr << loss.message << "\n";

// Data that a damaged database has lost.
struct RepairLoss {
  std::string table = {};    // empty: any table, or no table
  std::string message = {};  // the range of the keys, and the damaged file
};

// The result of a repair.
struct RepairOutput {
  std::uint64_t tables = 0;
  std::uint64_t items = 0;
  std::uint64_t stream_records = 0;
  std::vector<RepairLoss> losses = {};  // empty if nothing is lost
  bool complete = true;  // false if the progress handler ended the repair; nothing was created then
};

struct RepairProgress {
  std::uint64_t items = 0;  // of all tables, so far
  double fraction = 0;      // part of the table files that was read, 0 to 1
};

// A function that Repair calls repeatedly, on the thread that called Repair. The function returns
// true to continue and false to end the repair.
using RepairProgressHandler = internal::Function<bool(const RepairProgress&)>;

struct RepairOptions {
  RepairProgressHandler progress = {};
  // The key of the damaged database, which becomes the key of the new one. Nothing: the damaged
  // database is not encrypted.
  std::optional<EncryptionKey> encryption_key = std::nullopt;
};

// Copies everything that can be read from the database in the directory `from` into a new database
// in the directory `to`. Changes nothing in `from`, and does not need to be able to open it.
//
// - Of each item and each record of a stream, the latest version that can be read is copied.
// - A block that cannot be read hides only the versions in it. An item in the lost range of keys may
//   therefore be missing, or be older than it was, or exist again although it was deleted. The losses
//   name each such range.
// - All indexes are built anew from the items, also those whose backfill had not ended.
// - Tables, streams, positions of subscriptions and client request tokens are kept.
//
// A loss without a table may be a loss in any table. Damage to a log is such a loss, because the
// keys of lost writes are unknown.
//
// Takes as long as reading all files once and writing all items and indexes. Needs memory for one
// block of each table file and for the writes in the logs. `to` appears only when the repair is
// complete and on the disk; until then the files are in a directory whose name ends with
// ".repairing".
// - kValidation: `from` holds no database; `to` exists and is not empty, or is in `from`; the key is
//   not the key of the database.
// - kResourceInUse: the database in `from` is open.
// - kStorage: a directory cannot be read, or a file cannot be written. A file of `from` that cannot be
//   read is a loss, not an error.
Result<RepairOutput> Repair(const std::string& from, const std::string& to,
                            const RepairOptions& options = {});

// A function that gets a range of items that cannot be read.
using RepairLossHandler = internal::Function<void(const RepairLoss&)>;

// Calls `on_item` with each item of the table that can be read, in the order of the keys, and
// `on_loss` for each block and each item that cannot be read. Reads one snapshot, and expired
// items, too. Does not fill the read cache. A block that cannot be read hides older data in the
// same range of keys, which Repair() finds.
// - kResourceNotFound: the table was deleted.
// - any error that `on_item` returns: it ends the read.
Status ReadUndamaged(const TableRef& table, const ItemHandler& on_item,
                     const RepairLossHandler& on_loss);

}  // namespace dolmen
