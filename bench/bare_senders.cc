#include "bench/bare_senders.h"

#include <rocksdb/options.h>

#include <string>
#include <utility>
#include <vector>

#include "engine/storage/rocks_status.h"

namespace dolmen::bench {
namespace {

Status Exists() { return Status::Corruption("the message is there already"); }
Status Missing() { return Status::Corruption("what a message belongs to is missing"); }

StoredRow RowOf(const Item& item) {
  std::string bytes = StoredForm(item);
  std::string key(RowKeyOf(*ItemView::Parse(bytes)).bytes());
  return {std::move(key), std::move(bytes)};
}

StoredRow EntryOf(const Item& item) {
  std::string bytes = StoredForm(item);
  std::string key(EntryKeyOf(*ItemView::Parse(bytes)).bytes());
  return {std::move(key), std::move(bytes)};
}

}  // namespace

MessageRows::MessageRows(const SentMessage& sent)
    : message(RowOf(sent.message)),
      conversation(RowOf(sent.conversation)),
      participant(RowOf(sent.participant)),
      entry(EntryOf(sent.participant)) {}

Status RocksdbWrite::Insert(const StoredRow& row) {
  const Result<bool> found = Get(row);
  if (!found.ok()) return found.status();
  return *found ? Exists() : Overwrite(row);
}

Status RocksdbWrite::Replace(const StoredRow& row) {
  const Result<bool> found = Get(row);
  if (!found.ok()) return found.status();
  return *found ? Overwrite(row) : Missing();
}

Status RocksdbWrite::Overwrite(const StoredRow& row) {
  return engine::FromRocks(batch_.Put(row.key, row.item), "adding to a batch");
}

Status RocksdbWrite::End(const Status& status) {
  if (!status.ok()) return status;
  return engine::FromRocks(db_.Write(rocksdb::WriteOptions(), &batch_), "writing");
}

Result<StoredRow> RocksdbWrite::Read(const StoredRow& row) {
  const Result<bool> found = Get(row);
  if (!found.ok()) return found.status();
  return *found ? StoredRow{row.key, value_.ToString()} : StoredRow{};
}

Result<bool> RocksdbWrite::Get(const StoredRow& row) {
  value_.Reset();
  const rocksdb::Status read =
      db_.Get(rocksdb::ReadOptions(), db_.DefaultColumnFamily(), row.key, &value_);
  if (read.IsNotFound()) return false;
  if (!read.ok()) return engine::FromRocks(read, "reading");
  return true;
}

SqliteWrite::SqliteWrite(const SqliteStore& store)
    : db_(store.db()),
      begin_(db_, "BEGIN IMMEDIATE"),
      commit_(db_, "COMMIT"),
      rollback_(db_, "ROLLBACK"),
      insert_(db_, "INSERT INTO rows VALUES (?1, ?2)"),
      select_(db_, "SELECT item FROM rows WHERE key = ?1"),
      update_(db_, "UPDATE rows SET item = ?2 WHERE key = ?1") {}

Status SqliteWrite::Insert(const StoredRow& row) {
  insert_.Bind(1, row.key);
  insert_.Bind(2, row.item);
  return insert_.Run();  // the key is unique
}

Status SqliteWrite::Replace(const StoredRow& row) {
  select_.Bind(1, row.key);
  const int stepped = select_.Step();
  const bool found = stepped == SQLITE_ROW && !select_.Column(0).empty();
  select_.Reset();
  if (found) return Overwrite(row);
  return stepped == SQLITE_DONE ? Missing() : FromSqlite(db_, "reading");
}

Status SqliteWrite::Overwrite(const StoredRow& row) {
  update_.Bind(1, row.key);
  update_.Bind(2, row.item);
  return update_.Run();
}

Status SqliteWrite::End(const Status& status) {
  if (status.ok()) return commit_.Run();
  rollback_.Run().IgnoreError();
  return status;
}

Result<StoredRow> SqliteWrite::Read(const StoredRow& row) {
  select_.Bind(1, row.key);
  const int stepped = select_.Step();
  StoredRow read;
  if (stepped == SQLITE_ROW) read = {row.key, std::string(select_.Column(0))};
  select_.Reset();
  if (stepped != SQLITE_ROW && stepped != SQLITE_DONE) return FromSqlite(db_, "reading");
  return read;
}

Status LmdbWrite::Begin() {
  return FromLmdb(mdb_txn_begin(environment_, nullptr, 0, &transaction_), "beginning");
}

Status LmdbWrite::Replace(const StoredRow& row) {
  MDB_val key = ToMdbVal(row.key);
  MDB_val old = {};
  const int code = mdb_get(transaction_, database_, &key, &old);
  if (code == MDB_NOTFOUND) return Missing();
  if (code != MDB_SUCCESS) return FromLmdb(code, "reading");
  return Overwrite(row);
}

Status LmdbWrite::End(const Status& status) {
  MDB_txn* transaction = std::exchange(transaction_, nullptr);
  if (status.ok()) return FromLmdb(mdb_txn_commit(transaction), "committing");
  mdb_txn_abort(transaction);
  return status;
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

Status LmdbWrite::Put(const StoredRow& row, unsigned int flags) {
  MDB_val key = ToMdbVal(row.key);
  MDB_val item = ToMdbVal(row.item);
  const int code = mdb_put(transaction_, database_, &key, &item, flags);
  return code == MDB_KEYEXIST ? Exists() : FromLmdb(code, "writing");
}

}  // namespace dolmen::bench
