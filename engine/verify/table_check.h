// A check of one table: its rows, the entries of its indexes, and the records of its streams.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/status.h"
#include "engine/schema/table_schema.h"
#include "engine/storage/store.h"
#include "engine/verify/report.h"
#include "engine/verify/salvaging_cursor.h"

namespace dolmen::engine {

// Returns an estimate of the bytes that the check of a table reads.
std::uint64_t BytesToCheck(const Store& store, const TableSchema& table);

// A check that each row and each stream record is valid, and that each index has exactly the
// entries that follow from the rows.
//
// It reads all rows and looks up the entries of each row. Then it reads the entries of each index
// and looks up their rows. Each fault is found in one of the two passes, and the check needs
// little memory for a table of any size. Then it reads the streams.
class TableCheck {
 public:
  // Borrows its arguments, which must outlive the check. `snapshot` must be of a time at which the
  // table had the schema `table`.
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
  // Checks that the row of an entry exists and has this entry.
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
