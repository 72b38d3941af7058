// Readers of SQLite with prepared statements. They copy the sort key and the item of each row into
// a buffer that they reuse.

#pragma once

#include <string>

#include "bench/contender.h"
#include "bench/range_shape.h"
#include "bench/sqlite_store.h"
#include "bench/stored_rows.h"

namespace dolmen::bench {

// A reader of ranges.
class SqliteReader {
 public:
  using Store = SqliteStore;

  SqliteReader(const SqliteStore& store, const RangeShape& shape)
      : SqliteReader(store.db(), shape, "gsi1") {}

  Status Ask(const std::string& partition);

  // Reads the next page. REQUIRES: the shape is forward and reads the table, and the last answer
  // has rows
  Status AskNext();

  std::size_t rows() const { return rows_.size(); }

  // Returns the rows that the last query read. Each row has the encoded key that Dolmen gives the
  // row.
  Answer answer() const;

 protected:
  // Creates a reader. If the shape reads GSI1, the reader selects from the table `index_source`:
  // gsi1, or items in a database that uses CREATE INDEX.
  SqliteReader(sqlite3* db, const RangeShape& shape, const std::string& index_source);

 private:
  Status Read(const std::string& sort_lower, SqliteStatement* statement);

  sqlite3* db_;
  RangeShape shape_;
  std::string sort_upper_;  // exclusive upper bound of the keys with the prefix
  SqliteStatement first_;   // reads from a sort key on, or the index
  SqliteStatement next_;    // reads the rows after a sort key
  std::string partition_;   // of the last query
  std::string last_sort_;
  RowBuffer rows_;
};

// A reader of single items.
class SqliteItemReader {
 public:
  using Store = SqliteStore;

  explicit SqliteItemReader(const SqliteStore& store);

  Status Ask(const ItemKey& key);

  std::size_t rows() const { return rows_.size(); }
  Answer answer() const;

 private:
  sqlite3* db_;
  SqliteStatement statement_;
  std::string partition_;  // of the last query
  RowBuffer rows_;
};

}  // namespace dolmen::bench
