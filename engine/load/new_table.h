// The rows and index entries of a table that does not exist yet.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dolmen/backup.h"
#include "dolmen/result.h"
#include "engine/key/encoded_key.h"
#include "engine/schema/catalog.h"
#include "engine/schema/table_schema.h"
#include "engine/storage/load/table_load.h"
#include "engine/storage/store.h"

namespace dolmen::engine {

// Rows that are added in any order, and become sorted table files with their index entries. Not thread-safe.
class NewTableRows {
 public:
  // Begins to collect the rows of `table`, a prepared table (Catalog::Prepare). Both arguments outlive the object.
  // - kStorage: the store cannot be written.
  static Result<std::unique_ptr<NewTableRows>> Begin(Store* store, const TableSchema& table);

  // Adds a row. A later row of the same key replaces it.
  // - kStorage, kCorruption: a file cannot be written or read.
  Status Put(const EncodedKey& row, std::string_view item) {
    ++items_;
    return rows_->Put(row.bytes(), item);
  }
  // Removes the row of the key if it was added before. Fails as Put does.
  Status Remove(const EncodedKey& row) { return rows_->Remove(row.bytes()); }

  // Writes all rows and entries. Returns false if the handler has returned false. May be called once, as the last call.
  // - kCorruption: a row is damaged.
  // - kStorage: a file cannot be written, or the disk is almost full.
  Result<bool> Finish(const CopyProgressHandler& progress);
  // Returns the files that Finish has written, for Store::AddTableFiles. This object deletes those that the store has
  // not taken.
  const std::vector<std::string>& files() const { return files_; }

  // Returns the number of calls of Put; after Finish, the number of rows that the table has.
  std::uint64_t items() const { return items_; }

 private:
  NewTableRows(const TableSchema& table, std::unique_ptr<TableLoad> load)
      : table_(table),
        load_(std::move(load)),
        rows_(load_->NewSort()),
        entries_(load_->NewSort()) {}

  // Adds the entries that the item has in the indexes.
  Status AddEntries(std::string_view bytes);
  // Writes an entry of a table file. Calls the handler before the first one and after each megabyte.
  Status Append(std::string_view key, std::string_view value, const CopyProgressHandler& progress);
  bool Report(const CopyProgressHandler& progress);

  const TableSchema& table_;
  const std::unique_ptr<TableLoad> load_;  // outlives the sorts
  std::unique_ptr<Sorter> rows_;
  std::unique_ptr<Sorter> entries_;  // of the indexes
  std::vector<std::string> files_;
  std::uint64_t items_ = 0;
  std::uint64_t written_ = 0;  // rows and entries
  std::uint64_t written_max_ = 0;
  std::uint64_t written_bytes_ = 0;
  std::uint64_t reported_bytes_ = 0;
  bool goes_on_ = true;
};

// A function that adds the rows of a new table and calls Finish. Returns the result of Finish.
using FillTable = std::function<Result<bool>(const TableSchema& table, NewTableRows* rows)>;

// Creates a table as a whole. Returns what `fill` returns. After an error, or false, the table does not exist.
// - The errors of Catalog::Prepare, Store::AddTableFiles and `fill`.
Result<bool> CreateFilledTable(Store* store, Catalog* catalog, const CreateTableInput& input,
                               const FillTable& fill);

}  // namespace dolmen::engine
