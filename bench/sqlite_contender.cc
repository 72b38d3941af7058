#include "bench/sqlite_contender.h"

#include <string>
#include <system_error>
#include <vector>

#include "bench/stored_rows.h"

namespace dolmen::bench {
namespace {

namespace fs = std::filesystem;

Status Execute(sqlite3* db, const std::string& sql) {
  const int executed = sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr);
  return executed == SQLITE_OK ? Status() : FromSqlite(db, sql);
}

// With a log, as RocksDB has.  OFF: nothing waits for the disk, and what is committed survives
// the process, as Durability::kBuffered has it; NORMAL would wait at each checkpoint.
std::string Settings(const DataSet& data) {
  return "PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA cache_size = -" +
         std::to_string(CacheBytes(data) >> 10);
}

Status LoadRows(const DataSet& data, sqlite3* db) {
  Status made = Execute(
      db, "CREATE TABLE rows(key BLOB PRIMARY KEY, item BLOB NOT NULL) WITHOUT ROWID; BEGIN");
  if (!made.ok()) return made;
  Progress progress(SqliteStore::kName, data.size);
  const std::vector<StoredRow> rows = SortedRows(data);
  SqliteStatement insert(db, "INSERT INTO rows VALUES (?1, ?2)");
  for (const StoredRow& row : rows) {
    insert.Bind(1, row.key);
    insert.Bind(2, row.item);
    if (Status inserted = insert.Run(); !inserted.ok()) return inserted;
  }
  progress.Loaded(data.size);
  return Execute(db, "COMMIT; PRAGMA wal_checkpoint(TRUNCATE)");
}

}  // namespace

Result<std::unique_ptr<SqliteStore>> SqliteStore::Load(const DataSet& data,
                                                       const fs::path& directory) {
  std::error_code error;
  fs::create_directory(directory, error);
  sqlite3* db = nullptr;
  const int opened = sqlite3_open((directory / "rows.db").c_str(), &db);
  std::unique_ptr<SqliteStore> store(new SqliteStore(db));
  if (opened != SQLITE_OK) return FromSqlite(db, "opening " + directory.string());
  if (Status set = Execute(db, Settings(data)); !set.ok()) return set;
  if (Status loaded = LoadRows(data, db); !loaded.ok()) return loaded;
  return store;
}

SqliteStatement::SqliteStatement(sqlite3* db, std::string_view sql) : db_(db) {
  sqlite3_prepare_v3(db, sql.data(), static_cast<int>(sql.size()), SQLITE_PREPARE_PERSISTENT,
                     &statement_, nullptr);
}

Status SqliteStatement::Run() {
  const int stepped = Step();
  Status status;
  if (stepped != SQLITE_DONE) status = FromSqlite(db_, "running a statement");
  Reset();
  return status;
}

Status FromSqlite(sqlite3* db, std::string_view doing) {
  return Status::Storage("SQLite, " + std::string(doing) + ": " + sqlite3_errmsg(db));
}

}  // namespace dolmen::bench
