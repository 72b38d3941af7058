// SQLite: the same keys and values in one table without rowid, which is a B-tree of them.

#pragma once

#include <sqlite3.h>

#include <filesystem>
#include <memory>
#include <string_view>

#include "bench/contender.h"
#include "bench/data.h"

namespace dolmen::bench {

// The table is rows(key, item).
class SqliteStore : public LoadedStore {
 public:
  static constexpr std::string_view kName = "sqlite";
  static Result<std::unique_ptr<SqliteStore>> Load(const DataSet& data,
                                                   const std::filesystem::path& directory);
  ~SqliteStore() override { sqlite3_close(db_); }

  sqlite3* db() const { return db_; }

 private:
  explicit SqliteStore(sqlite3* db) : db_(db) {}

  sqlite3* db_;
};

// A prepared statement.  One that could not be prepared fails when it is run.
class SqliteStatement {
 public:
  // `db` outlives the statement.
  SqliteStatement(sqlite3* db, std::string_view sql);
  ~SqliteStatement() { sqlite3_finalize(statement_); }
  SqliteStatement(const SqliteStatement&) = delete;
  SqliteStatement& operator=(const SqliteStatement&) = delete;

  // `i` counts from 1.  The bytes live until the next Reset.
  void Bind(int i, std::string_view bytes) {
    sqlite3_bind_blob64(statement_, i, bytes.data(), bytes.size(), SQLITE_STATIC);
  }

  int Step() { return sqlite3_step(statement_); }

  // `i` counts from 0.  Lives until the next Step or Reset.
  std::string_view Column(int i) const {
    const void* bytes = sqlite3_column_blob(statement_, i);
    return {static_cast<const char*>(bytes),
            static_cast<std::size_t>(sqlite3_column_bytes(statement_, i))};
  }

  void Reset() { sqlite3_reset(statement_); }

  // Runs what has no rows to its end, and resets it.
  Status Run();

 private:
  sqlite3* db_;
  sqlite3_stmt* statement_ = nullptr;
};

// What `db` says of an outcome that was not wanted.
Status FromSqlite(sqlite3* db, std::string_view doing);

}  // namespace dolmen::bench
