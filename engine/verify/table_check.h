// Whether a table's rows and the records of its streams are sound, and whether each of its indexes
// has just the entries that the rows ask for.

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

// How many bytes a check of each of the table's keyspaces is to read, as a report expects them.
std::uint64_t BytesToCheck(const Store& store, const TableSchema& table);

// Walks the rows and looks up the entries that each asks for, then walks the entries of each index
// and looks up their rows; so it needs no memory to speak of, however large the table is.  Each
// fault is found in one of the two walks.  Then it walks the streams.
class TableCheck {
 public:
  // `snapshot` is of when the table had this schema.  All of them outlive this.
  TableCheck(const Store& store, const Snapshot& snapshot, const TableSchema& table, Report* report)
      : store_(store), snapshot_(snapshot), table_(table), report_(*report) {}

  // What can't be read is a finding and no error.
  Status Run();

 private:
  // Hands over each key and value that can be read.
  template <typename Visit>
  Status Walk(KeyspaceId keyspace, SalvagingCursor::GapHandler on_gap, Visit visit);
  Status CheckRows();
  Status CheckIndex(const IndexSchema& index);
  Status CheckStream(const StreamSchema& stream);

  Result<bool> Get(const EncodedKey& key, PinnedValue* value) const {
    return store_.Get(key, value, {.snapshot = &snapshot_, .fills_cache = false});
  }
  Status CheckRow(std::string_view key, std::string_view value);
  Status CheckEntryOf(std::string_view row, const ItemView& item, const IndexSchema& index);
  Status CheckEntry(const IndexSchema& index, std::string_view key);

  // `index` is null for the table itself.
  void Find(const IndexSchema* index, std::string message);
  // What can't be read is a finding; any other error is passed on.
  Status Sort(const Status& status, const IndexSchema* index, const std::string& what);

  const Store& store_;
  const Snapshot& snapshot_;
  const TableSchema& table_;
  Report& report_;
};

}  // namespace dolmen::engine
