// A check of one table: its rows, the entries of its indexes, and the records of its streams.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/result.h"
#include "engine/schema/table_schema.h"
#include "engine/storage/store.h"
#include "engine/verify/report.h"
#include "engine/verify/salvaging_cursor.h"

namespace dolmen::engine {

// Returns all indexes of the table. The index of the time to live is the last one.
std::vector<const IndexSchema*> AllIndexes(const TableSchema& table);

// Returns a description of the damage of a stored item, or nothing if the item is sound.
std::optional<std::string> FindRowDamage(const TableSchema& table, std::string_view key,
                                         std::string_view value);

// Checks a stored record of a stream of the table with these keys.
// - kCorruption: the record is damaged.
// - kUnsupportedFormat: a newer release wrote the record.
Status CheckRecord(const StreamSchema& stream, const KeySchema& keys, std::string_view key,
                   std::string_view value);

// Returns an estimate of the bytes that the check of a table reads.
std::uint64_t BytesToCheck(const Store& store, const TableSchema& table);

// A check of the stored data of one table. Each row and each stream record must be valid, and each
// index must have exactly the entries that follow from the rows.
//
// The check first reads all rows and looks up the index entries of each row. Then it reads the
// entries of each index and looks up the row of each entry. A difference between rows and entries
// is found in one of these two passes. Last, the check reads the streams. The check needs little
// memory for a table of any size.
class TableCheck {
 public:
  // Borrows its arguments, which must outlive the check. The table must have had the schema `table`
  // when `snapshot` was created.
  TableCheck(const Store& store, const Snapshot& snapshot, const TableSchema& table, Report* report)
      : store_(store), snapshot_(snapshot), table_(table), report_(*report) {}

  // Runs the check. Data that cannot be read is a finding, not an error.
  Status Run();

 private:
  // Calls `visit` with each key and value that can be read, and `on_gap` for each gap of unreadable
  // blocks. Reports progress. Returns the first error of `visit`.
  template <typename Visit>
  Status Walk(KeyspaceId keyspace, SalvagingCursor::GapHandler on_gap, Visit visit);
  Status CheckRows();
  Status CheckIndex(const IndexSchema& index);
  Status CheckStream(const StreamSchema& stream);

  Result<bool> Get(const EncodedKey& key, PinnedValue* value) const {
    return store_.Get(key, value, {.snapshot = &snapshot_, .fills_cache = false});
  }
  Status CheckRow(std::string_view key, std::string_view value);
  // Checks that the row's entry in `index` exists and holds the row's attributes.
  Status CheckEntryOfRow(std::string_view row, const ItemView& item, const IndexSchema& index);
  // Checks that the row to which the entry belongs exists, and that the row's attributes require
  // exactly this entry.
  Status CheckEntry(const IndexSchema& index, std::string_view key);

  // Adds a finding to the report. `index` is null for the table itself.
  void AddFinding(const IndexSchema* index, std::string message);
  // Adds a finding if `status` says that data cannot be read. Returns any other error.
  Status AddFindingIfUnreadable(const Status& status, const IndexSchema* index,
                                const std::string& what);

  const Store& store_;
  const Snapshot& snapshot_;
  const TableSchema& table_;
  Report& report_;
};

}  // namespace dolmen::engine
