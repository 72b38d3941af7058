#include "bench/bare_senders.h"

#include <rocksdb/options.h>

#include <string>
#include <utility>

#include "engine/storage/rocks_status.h"

namespace dolmen::bench {
namespace {

Status Exists() { return Status::Corruption("the message already exists"); }
Status Missing() {
  return Status::Corruption("the conversation or the participant of the message does not exist");
}

KeyedRow RowOf(const Item& item) {
  std::string bytes = StoredForm(item);
  std::string key(RowKeyOf(*ItemView::Parse(bytes)).bytes());
  return KeyedRow({std::move(key), std::move(bytes)});
}

KeyedRow EntryOf(const Item& item) {
  std::string bytes = StoredForm(item);
  std::string key(EntryKeyOf(*ItemView::Parse(bytes)).bytes());
  return KeyedRow({std::move(key), std::move(bytes)});
}

void BindRow(const KeyedRow& row, SqliteStatement* statement) {
  statement->BindText(1, row.pk);
  statement->BindText(2, row.sk);
  statement->BindBlob(3, row.item);
}

}  // namespace

KeyedRow::KeyedRow(StoredRow row) : StoredRow(std::move(row)) {
  const KeyTexts keys = KeyTextsOf(*ItemView::Parse(item));
  pk = keys.pk;
  sk = keys.sk;
  gsi1pk = keys.gsi1pk;
  gsi1sk = keys.gsi1sk;
}

MessageRows::MessageRows(const SentMessage& sent)
    : message(RowOf(sent.message)),
      conversation(RowOf(sent.conversation)),
      participant(RowOf(sent.participant)),
      entry(EntryOf(sent.participant)) {}

Status RocksdbWrite::Insert(const KeyedRow& row) {
  const Result<bool> found = Get(row);
  if (!found.ok()) return found.status();
  return *found ? Exists() : Overwrite(row);
}

Status RocksdbWrite::Replace(const KeyedRow& row) {
  const Result<bool> found = Get(row);
  if (!found.ok()) return found.status();
  return *found ? Overwrite(row) : Missing();
}

Status RocksdbWrite::End(const Status& status) {
  if (!status.ok()) return status;
  return engine::FromRocks(store_.db().Write(store_.write_options(), &batch_), "writing");
}

Status RocksdbWrite::Put(const KeyedRow& row) {
  if (Status begun = Begin(); !begun.ok()) return begun;
  return End(Overwrite(row));
}

Result<StoredRow> RocksdbWrite::Read(const StoredRow& row) {
  const Result<bool> found = Get(row);
  if (!found.ok()) return found.status();
  return *found ? StoredRow{row.key, value_.ToString()} : StoredRow{};
}

Status RocksdbWrite::Overwrite(const StoredRow& row) {
  return engine::FromRocks(batch_.Put(row.key, row.item), "adding to a batch");
}

Result<bool> RocksdbWrite::Get(const StoredRow& row) {
  value_.Reset();
  rocksdb::DB& db = store_.db();
  const rocksdb::Status read =
      db.Get(rocksdb::ReadOptions(), db.DefaultColumnFamily(), row.key, &value_);
  if (read.IsNotFound()) return false;
  if (!read.ok()) return engine::FromRocks(read, "reading");
  return true;
}

SqliteWrite::SqliteWrite(sqlite3* db)
    : db_(db),
      begin_(db_, "BEGIN IMMEDIATE"),
      commit_(db_, "COMMIT"),
      rollback_(db_, "ROLLBACK"),
      put_(db_, "INSERT OR REPLACE INTO items VALUES (?1, ?2, ?3)"),
      insert_(db_, "INSERT INTO items VALUES (?1, ?2, ?3)"),
      select_(db_, "SELECT item FROM items WHERE pk = ?1 AND sk = ?2"),
      update_(db_, "UPDATE items SET item = ?3 WHERE pk = ?1 AND sk = ?2"),
      select_entry_(db_,
                    "SELECT item FROM gsi1 "
                    "WHERE gsi1pk = ?1 AND gsi1sk = ?2 AND pk = ?3 AND sk = ?4"),
      update_entry_(db_,
                    "UPDATE gsi1 SET item = ?5 "
                    "WHERE gsi1pk = ?1 AND gsi1sk = ?2 AND pk = ?3 AND sk = ?4") {}

Status SqliteWrite::Insert(const KeyedRow& row) {
  BindRow(row, &insert_);
  return insert_.Run();  // the key is unique
}

Status SqliteWrite::Replace(const KeyedRow& row) {
  select_.BindText(1, row.pk);
  select_.BindText(2, row.sk);
  const int stepped = select_.Step();
  const bool found = stepped == SQLITE_ROW && !select_.Column(0).empty();
  select_.Reset();
  if (!found) return stepped == SQLITE_DONE ? Missing() : FromSqlite(db_, "reading");
  BindRow(row, &update_);
  return update_.Run();
}

Status SqliteWrite::OverwriteEntry(const KeyedRow& row) {
  update_entry_.BindText(1, row.gsi1pk);
  update_entry_.BindText(2, row.gsi1sk);
  update_entry_.BindText(3, row.pk);
  update_entry_.BindText(4, row.sk);
  update_entry_.BindBlob(5, row.item);
  return update_entry_.Run();
}

Status SqliteWrite::End(const Status& status) {
  if (status.ok()) return commit_.Run();
  rollback_.Run().IgnoreError();
  return status;
}

Status SqliteWrite::Put(const KeyedRow& row) {
  BindRow(row, &put_);
  return put_.Run();
}

Result<StoredRow> SqliteWrite::Read(const StoredRow& row) {
  const KeyTexts keys = KeyTextsOf(*ItemView::Parse(row.item));
  SqliteStatement& select = IsEntry(row) ? select_entry_ : select_;
  int i = 0;
  if (IsEntry(row)) {
    select.BindText(++i, keys.gsi1pk);
    select.BindText(++i, keys.gsi1sk);
  }
  select.BindText(++i, keys.pk);
  select.BindText(++i, keys.sk);
  const int stepped = select.Step();
  StoredRow read;
  if (stepped == SQLITE_ROW) read = {row.key, std::string(select.Column(0))};
  select.Reset();
  if (stepped != SQLITE_ROW && stepped != SQLITE_DONE) return FromSqlite(db_, "reading");
  return read;
}

Status LmdbWrite::Begin() {
  return FromLmdb(mdb_txn_begin(environment_, nullptr, 0, &transaction_), "beginning");
}

Status LmdbWrite::Replace(const KeyedRow& row) {
  MDB_val key = ToMdbVal(row.key);
  MDB_val old = {};
  const int code = mdb_get(transaction_, database_, &key, &old);
  if (code == MDB_NOTFOUND) return Missing();
  if (code != MDB_SUCCESS) return FromLmdb(code, "reading");
  return PutWith(row, 0);
}

Status LmdbWrite::End(const Status& status) {
  MDB_txn* transaction = std::exchange(transaction_, nullptr);
  if (status.ok()) return FromLmdb(mdb_txn_commit(transaction), "committing");
  mdb_txn_abort(transaction);
  return status;
}

Status LmdbWrite::Put(const KeyedRow& row) {
  if (Status begun = Begin(); !begun.ok()) return begun;
  return End(PutWith(row, 0));
}

Result<StoredRow> LmdbWrite::Read(const StoredRow& row) {
  if (Status begun = Begin(); !begun.ok()) return begun;
  MDB_val key = ToMdbVal(row.key);
  MDB_val item = {};
  const int code = mdb_get(transaction_, database_, &key, &item);
  StoredRow read;
  if (code == MDB_SUCCESS) read = {row.key, std::string(ToBytes(item))};
  mdb_txn_abort(std::exchange(transaction_, nullptr));
  if (code != MDB_SUCCESS && code != MDB_NOTFOUND) return FromLmdb(code, "reading");
  return read;
}

Status LmdbWrite::PutWith(const StoredRow& row, unsigned int flags) {
  MDB_val key = ToMdbVal(row.key);
  MDB_val item = ToMdbVal(row.item);
  const int code = mdb_put(transaction_, database_, &key, &item, flags);
  return code == MDB_KEYEXIST ? Exists() : FromLmdb(code, "writing");
}

}  // namespace dolmen::bench
