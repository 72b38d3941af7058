// The repair of a damaged database (Repair), and the read of what is left of a damaged table
// (ReadUndamaged).
//
//   const auto repaired = dolmen::Repair("app.dolmen", "repaired.dolmen");
//   if (!repaired.ok()) return repaired.status();
//   for (const RepairLoss& loss : repaired->losses) std::cerr << loss.message << "\n";

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "dolmen/open_options.h"
#include "dolmen/result.h"
#include "dolmen/table_backup.h"
#include "dolmen/table_ref.h"

namespace dolmen {

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

// A function that Repair calls repeatedly, on the thread that called Repair, also while it searches a
// damaged file, so that it can always be ended within a moment. The function returns
// true to continue and false to end the repair.
using RepairProgressHandler = std::function<bool(const RepairProgress&)>;

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
// ".repairing". If a crash ends the repair, that directory stays, and the next repair to `to` begins it
// anew. A repair changes no directory of this name that no repair has made.
// - kValidation: `from` holds no database; `to` exists and is not empty, or is in `from`; the key is
//   not the key of the database; another repair is writing `to`, or there is a directory with the
//   name ".repairing" that no repair has made.
// - kResourceInUse: the database in `from` is open.
// - kStorage: a directory cannot be read, or a file cannot be written. A file of `from` that cannot be
//   read is a loss, not an error.
Result<RepairOutput> Repair(const std::string& from, const std::string& to,
                            const RepairOptions& options = {});

// A function that gets a range of items that cannot be read.
using RepairLossHandler = std::function<void(const RepairLoss&)>;

// Calls `on_item` with each item of the table that can be read, in the order of the keys, and
// `on_loss` for each block and each item that cannot be read. Reads one snapshot, and expired
// items, too. Does not fill the read cache. A block that cannot be read hides older data in the
// same range of keys, which Repair() finds.
// - kResourceNotFound: the table was deleted.
// - any error that `on_item` returns: it ends the read.
Status ReadUndamaged(const TableRef& table, const ItemHandler& on_item,
                     const RepairLossHandler& on_loss);

}  // namespace dolmen

#include "dolmen/internal/show_macros.h"
