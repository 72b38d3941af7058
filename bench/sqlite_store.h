// A SQLite database with two tables: items, and gsi1, which contains copies of the items for GSI1.
// Both tables are WITHOUT ROWID, so each table is a B-tree in the order of its primary key.
//   items(pk, sk, item), gsi1(gsi1pk, gsi1sk, pk, sk, item)

#pragma once

#include <sqlite3.h>

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "bench/data.h"
#include "bench/stores.h"

namespace dolmen::bench {

struct CloseSqlite {
  void operator()(sqlite3* db) const { sqlite3_close(db); }
};
using SqliteConnection = std::unique_ptr<sqlite3, CloseSqlite>;

// Opens the database in `directory`, and creates the database if it does not exist. Only one
// thread at a time may use the connection.
Result<SqliteConnection> ConnectSqlite(const std::filesystem::path& directory,
                                       const StoreSettings& settings);

// Runs statements and ignores the rows that they return.
Status ExecuteSqlite(sqlite3* db, const std::string& sql);

// Creates the tables. REQUIRES: the database is empty
Status MakeSqliteTables(sqlite3* db);

class SqliteStore : public OpenStore {
 public:
  static constexpr std::string_view kName = "sqlite";
  static Status Fill(const DataSet& data, Layout layout, const std::filesystem::path& directory);
  static Result<std::unique_ptr<SqliteStore>> Open(const std::filesystem::path& directory,
                                                   const StoreSettings& settings);

  // Returns the connection. Only one thread at a time may use the connection.
  sqlite3* db() const { return db_.get(); }

  // Opens another connection to the database, for another thread.
  Result<std::unique_ptr<SqliteStore>> Connect() const { return Open(directory_, settings_); }

 private:
  SqliteStore(std::filesystem::path directory, const StoreSettings& settings)
      : directory_(std::move(directory)), settings_(settings) {}

  std::filesystem::path directory_;
  StoreSettings settings_;
  SqliteConnection db_;
};

// A prepared statement. If its preparation fails, running the statement returns the error.
class SqliteStatement {
 public:
  // REQUIRES: `db` outlives the statement
  SqliteStatement(sqlite3* db, std::string_view sql);
  ~SqliteStatement() { sqlite3_finalize(statement_); }
  SqliteStatement(const SqliteStatement&) = delete;
  SqliteStatement& operator=(const SqliteStatement&) = delete;

  // Binds a value to the i-th parameter; `i` counts from 1. The text or blob must live until the
  // next Reset.
  void BindText(int i, std::string_view text) {
    sqlite3_bind_text64(statement_, i, text.data(), text.size(), SQLITE_STATIC, SQLITE_UTF8);
  }
  void BindBlob(int i, std::string_view bytes) {
    sqlite3_bind_blob64(statement_, i, bytes.data(), bytes.size(), SQLITE_STATIC);
  }
  void BindNull(int i) { sqlite3_bind_null(statement_, i); }
  void BindInteger(int i, sqlite3_int64 number) { sqlite3_bind_int64(statement_, i, number); }

  int Step() { return sqlite3_step(statement_); }

  // Returns the bytes of the text or blob in the i-th column; `i` counts from 0. The bytes are
  // valid until the next Step or Reset.
  std::string_view Column(int i) const {
    const void* bytes = sqlite3_column_blob(statement_, i);
    return {static_cast<const char*>(bytes),
            static_cast<std::size_t>(sqlite3_column_bytes(statement_, i))};
  }

  void Reset() { sqlite3_reset(statement_); }

  // Runs a statement that returns no rows, and resets the statement.
  Status Run();

 private:
  sqlite3* db_;
  sqlite3_stmt* statement_ = nullptr;
};

// Returns a Status with the last error message of `db`.
Status FromSqlite(sqlite3* db, std::string_view doing);

}  // namespace dolmen::bench
