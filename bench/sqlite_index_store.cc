#include "bench/sqlite_index_store.h"

#include <string>
#include <system_error>

#include "bench/stored_rows.h"

namespace dolmen::bench {
namespace {

// The table is WITHOUT ROWID, as in SqliteStore. An index entry therefore contains the primary key
// of its row.
constexpr const char* kTable =
    "CREATE TABLE items(pk TEXT, sk TEXT, gsi1pk TEXT, gsi1sk TEXT, item BLOB NOT NULL, "
    "PRIMARY KEY (pk, sk)) WITHOUT ROWID;";

// The index is partial, because GSI1 contains only items that have the key attributes of GSI1.
constexpr const char* kIndex =
    "CREATE INDEX gsi1 ON items(gsi1pk, gsi1sk) WHERE gsi1pk IS NOT NULL;";

Status Insert(const StoredRow& row, SqliteStatement* insert) {
  if (IsEntry(row)) return {};  // CREATE INDEX adds the entries
  const KeyTexts keys = KeyTextsOf(*ItemView::Parse(row.item));
  insert->BindText(1, keys.pk);
  insert->BindText(2, keys.sk);
  if (!keys.gsi1pk.empty()) {
    insert->BindText(3, keys.gsi1pk);
    insert->BindText(4, keys.gsi1sk);
  } else {
    insert->BindNull(3);
    insert->BindNull(4);
  }
  insert->BindBlob(5, row.item);
  return insert->Run();
}

}  // namespace

Status SqliteIndexStore::Fill(const DataSet& data, Layout layout,
                              const std::filesystem::path& directory) {
  std::error_code error;
  std::filesystem::create_directory(directory, error);
  Result<SqliteConnection> db = ConnectSqlite(directory, {.cache_bytes = CacheBytes(data)});
  if (!db.ok()) return db.status();
  // Creates the index after the rows are inserted, so SQLite fills the index in key order.
  const bool index_first = layout == Layout::kAsWritten;
  Status made =
      ExecuteSqlite(db->get(), std::string("BEGIN;") + kTable + (index_first ? kIndex : ""));
  if (!made.ok()) return made;
  SqliteStatement insert(db->get(), "INSERT INTO items VALUES (?1, ?2, ?3, ?4, ?5)");
  Progress progress(kName, data.size);
  Status filled = ForEachRow(data, layout, &progress,
                             [&](const StoredRow& row) { return Insert(row, &insert); });
  if (!filled.ok()) return filled;
  return ExecuteSqlite(db->get(), std::string(index_first ? "" : kIndex) +
                                      "COMMIT; PRAGMA wal_checkpoint(TRUNCATE)");
}

Result<std::unique_ptr<SqliteIndexStore>> SqliteIndexStore::Open(
    const std::filesystem::path& directory, const StoreSettings& settings) {
  Result<SqliteConnection> db = ConnectSqlite(directory, settings);
  if (!db.ok()) return db.status();
  return std::unique_ptr<SqliteIndexStore>(new SqliteIndexStore(*std::move(db)));
}

}  // namespace dolmen::bench
