// A SQLite database with CREATE INDEX instead of a covering copy.  An entry of the index refers to
// the table, where the item is looked up.  The database has a file of its own, so that it does not
// change the size of the other SQLite database.
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
