// A SQLite database that uses CREATE INDEX for GSI1, not a second table with copies of the items.
// An index entry refers to a row of the table, and SQLite reads the item there. This database has
// its own file, so the other SQLite database keeps its size.
//   items(pk, sk, gsi1pk, gsi1sk, item), and an index on (gsi1pk, gsi1sk)

#pragma once

#include <filesystem>
#include <memory>
#include <string_view>
#include <utility>

#include "bench/sqlite_reader.h"
#include "bench/sqlite_store.h"

namespace dolmen::bench {

class SqliteIndexStore : public OpenStore {
 public:
  static constexpr std::string_view kName = "sqlite_index";
  static Status Fill(const DataSet& data, Layout layout, const std::filesystem::path& directory);
  static Result<std::unique_ptr<SqliteIndexStore>> Open(const std::filesystem::path& directory,
                                                        const StoreSettings& settings);

  sqlite3* db() const { return db_.get(); }

 private:
  explicit SqliteIndexStore(SqliteConnection db) : db_(std::move(db)) {}

  SqliteConnection db_;
};

class SqliteIndexReader : public SqliteReader {
 public:
  using Store = SqliteIndexStore;

  // REQUIRES: shape.index
  SqliteIndexReader(const SqliteIndexStore& store, const RangeShape& shape)
      : SqliteReader(store.db(), shape, "items") {}
};

}  // namespace dolmen::bench
