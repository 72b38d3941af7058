// SQLite's answers by prepared statements; each row's sort key and item are copied into a buffer
// that is kept.

#pragma once

#include <string>

#include "bench/contender.h"
#include "bench/range_shape.h"
#include "bench/sqlite_store.h"
#include "bench/stored_rows.h"

namespace dolmen::bench {

class SqliteReader {
 public:
  using Store = SqliteStore;

  SqliteReader(const SqliteStore& store, const RangeShape& shape)
      : SqliteReader(store.db(), shape, "gsi1") {}

  Status Ask(const std::string& partition);

  // REQUIRES: forward, in the table, and the last answer has rows
  Status AskNext();

  std::size_t rows() const { return rows_.size(); }

  // Under the keys that Dolmen has for what was returned.
  Answer answer() const;

 protected:
  // `index_source`: the table that has the items in the order of the index, or an index for it.
  SqliteReader(sqlite3* db, const RangeShape& shape, const std::string& index_source);

 private:
  Status Read(const std::string& sort_lower, SqliteStatement* statement);

  sqlite3* db_;
  RangeShape shape_;
  std::string sort_upper_;  // just behind all keys with the prefix
  SqliteStatement first_;   // from a sort key on, if it is the table that is asked
  SqliteStatement next_;    // behind a sort key
  std::string partition_;   // that was asked last
  std::string last_sort_;
  RowBuffer rows_;
};

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
  std::string partition_;  // that was asked last
  RowBuffer rows_;
};

}  // namespace dolmen::bench
