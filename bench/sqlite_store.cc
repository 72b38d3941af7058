#include "bench/sqlite_store.h"

#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "bench/stored_rows.h"

namespace dolmen::bench {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSchema =
    "CREATE TABLE items(pk TEXT, sk TEXT, item BLOB NOT NULL, PRIMARY KEY (pk, sk)) "
    "WITHOUT ROWID;"
    "CREATE TABLE gsi1(gsi1pk TEXT, gsi1sk TEXT, pk TEXT, sk TEXT, item BLOB NOT NULL, "
    "PRIMARY KEY (gsi1pk, gsi1sk, pk, sk)) WITHOUT ROWID;";

constexpr int kBusyMilliseconds = 60'000;  // the longest wait for another thread's write

// Returns the pragmas for the settings. SQLite uses a write-ahead log, as RocksDB does.
// - synchronous = OFF, for Durability::kBuffered: no commit waits for the disk, and commits survive
//   a crash of the process. NORMAL would wait at each checkpoint.
// - synchronous = FULL, for Durability::kSync: the log is on the disk when a commit returns.
std::string PragmasOf(const StoreSettings& settings) {
  return std::string("PRAGMA journal_mode = WAL; PRAGMA synchronous = ") +
         (settings.durability == Durability::kSync ? "FULL" : "OFF") + "; PRAGMA cache_size = -" +
         std::to_string(settings.cache_bytes >> 10);
}

class Inserter {
 public:
  explicit Inserter(sqlite3* db)
      : items_(db, "INSERT INTO items VALUES (?1, ?2, ?3)"),
        gsi1_(db, "INSERT INTO gsi1 VALUES (?1, ?2, ?3, ?4, ?5)") {}

  Status Insert(const StoredRow& row) {
    const KeyTexts keys = KeyTextsOf(*ItemView::Parse(row.item));
    if (IsEntry(row)) {
      gsi1_.BindText(1, keys.gsi1pk);
      gsi1_.BindText(2, keys.gsi1sk);
      gsi1_.BindText(3, keys.pk);
      gsi1_.BindText(4, keys.sk);
      gsi1_.BindBlob(5, row.item);
      return gsi1_.Run();
    }
    items_.BindText(1, keys.pk);
    items_.BindText(2, keys.sk);
    items_.BindBlob(3, row.item);
    return items_.Run();
  }

 private:
  SqliteStatement items_;
  SqliteStatement gsi1_;
};

}  // namespace

Status MakeSqliteTables(sqlite3* db) { return ExecuteSqlite(db, kSchema); }

Status SqliteStore::Fill(const DataSet& data, Layout layout, const fs::path& directory) {
  std::error_code error;
  fs::create_directory(directory, error);
  Result<SqliteConnection> db = ConnectSqlite(directory, {.cache_bytes = CacheBytes(data)});
  if (!db.ok()) return db.status();
  if (Status made = MakeSqliteTables(db->get()); !made.ok()) return made;
  if (Status begun = ExecuteSqlite(db->get(), "BEGIN"); !begun.ok()) return begun;
  Inserter inserter(db->get());
  Progress progress(kName, data.size);
  Status filled = ForEachRow(data, layout, &progress,
                             [&](const StoredRow& row) { return inserter.Insert(row); });
  if (!filled.ok()) return filled;
  return ExecuteSqlite(db->get(), "COMMIT; PRAGMA wal_checkpoint(TRUNCATE)");
}

Result<std::unique_ptr<SqliteStore>> SqliteStore::Open(const fs::path& directory,
                                                       const StoreSettings& settings) {
  std::unique_ptr<SqliteStore> store(new SqliteStore(directory, settings));
  Result<SqliteConnection> db = ConnectSqlite(directory, settings);
  if (!db.ok()) return db.status();
  store->db_ = *std::move(db);
  return store;
}

Result<SqliteConnection> ConnectSqlite(const fs::path& directory, const StoreSettings& settings) {
  sqlite3* opened_db = nullptr;
  // Only one thread at a time uses a connection, so the connection needs no mutex.
  constexpr int kFlags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  const int opened = sqlite3_open_v2((directory / "items.db").c_str(), &opened_db, kFlags, nullptr);
  SqliteConnection db(opened_db);
  if (opened != SQLITE_OK) return FromSqlite(db.get(), "opening " + directory.string());
  sqlite3_busy_timeout(db.get(), kBusyMilliseconds);
  if (Status set = ExecuteSqlite(db.get(), PragmasOf(settings)); !set.ok()) return set;
  return db;
}

Status ExecuteSqlite(sqlite3* db, const std::string& sql) {
  const int executed = sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr);
  return executed == SQLITE_OK ? Status() : FromSqlite(db, sql);
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
