// Senders that write messages directly to RocksDB, SQLite and LMDB, without Dolmen. They write
// rows that are already encoded, so no sender builds, changes or encodes an item. Before a sender
// writes, it checks that the message does not exist, and that the conversation and the participant
// exist.

#pragma once

#include <lmdb.h>
#include <rocksdb/db.h>
#include <rocksdb/write_batch.h>

#include <string>
#include <string_view>

#include "bench/data.h"
#include "bench/lmdb_store.h"
#include "bench/rocksdb_store.h"
#include "bench/sqlite_store.h"
#include "bench/stored_rows.h"

namespace dolmen::bench {

// A row or an index entry, and the key attributes of its item. SQLite stores the key attributes in
// columns of their own.
struct KeyedRow : StoredRow {
  explicit KeyedRow(StoredRow row);

  std::string pk;
  std::string sk;
  std::string gsi1pk;  // empty if the item has no entry in GSI1
  std::string gsi1sk;
};

// The three rows and the index entry that a send writes.
struct MessageRows {
  explicit MessageRows(const SentMessage& sent);

  KeyedRow message;
  KeyedRow conversation;
  KeyedRow participant;
  KeyedRow entry;
};

// A sender for one store. `Write` is one of the classes below, which have these members:
//   Status Begin();
//   Status Insert(const KeyedRow& row);          // fails if the row exists
//   Status Replace(const KeyedRow& row);         // reads the old row; fails if it does not exist
//   Status OverwriteEntry(const KeyedRow& row);  // writes an existing entry without reading it
//   Status End(const Status& status);            // commits if `status` is ok, otherwise rolls back
//   Status Put(const KeyedRow& row);             // writes a row outside of Begin and End
//   Result<StoredRow> Read(const StoredRow& row);
template <typename Write>
class BareSender {
 public:
  using Store = typename Write::Store;
  using Request = MessageRows;
  static constexpr std::string_view kName = Store::kName;

  explicit BareSender(const Store& store) : write_(store) {}

  Status Send(const MessageRows& rows) {
    if (Status begun = write_.Begin(); !begun.ok()) return begun;
    return write_.End(WriteAll(rows));
  }

  Status Put(const MessageRows& rows) { return write_.Put(rows.message); }

  Result<StoredRow> Read(const StoredRow& row) { return write_.Read(row); }

 private:
  Status WriteAll(const MessageRows& rows) {
    if (Status status = write_.Insert(rows.message); !status.ok()) return status;
    if (Status status = write_.Replace(rows.conversation); !status.ok()) return status;
    if (Status status = write_.Replace(rows.participant); !status.ok()) return status;
    return write_.OverwriteEntry(rows.entry);
  }

  Write write_;
};

// A writer of rows to RocksDB. A send is one WriteBatch, with the write-ahead log.
class RocksdbWrite {
 public:
  using Store = RocksdbStore;

  explicit RocksdbWrite(const RocksdbStore& store) : store_(store) {}

  Status Begin() {
    batch_.Clear();
    return {};
  }
  Status Insert(const KeyedRow& row);
  Status Replace(const KeyedRow& row);
  Status OverwriteEntry(const KeyedRow& row) { return Overwrite(row); }
  Status End(const Status& status);
  Status Put(const KeyedRow& row);
  Result<StoredRow> Read(const StoredRow& row);

 private:
  Status Overwrite(const StoredRow& row);
  // Reads the value of the row into value_. Returns false if the row does not exist.
  Result<bool> Get(const StoredRow& row);

  const RocksdbStore& store_;
  rocksdb::WriteBatch batch_;
  rocksdb::PinnableSlice value_;
};

// A writer of rows to SQLite. A send is one transaction of prepared statements.
class SqliteWrite {
 public:
  using Store = SqliteStore;

  explicit SqliteWrite(const SqliteStore& store) : SqliteWrite(store.db()) {}
  explicit SqliteWrite(sqlite3* db);

  Status Begin() { return begin_.Run(); }
  Status Insert(const KeyedRow& row);
  Status Replace(const KeyedRow& row);
  Status OverwriteEntry(const KeyedRow& row);
  Status End(const Status& status);
  Status Put(const KeyedRow& row);
  Result<StoredRow> Read(const StoredRow& row);

 private:
  sqlite3* db_;
  SqliteStatement begin_;
  SqliteStatement commit_;
  SqliteStatement rollback_;
  SqliteStatement put_;
  SqliteStatement insert_;
  SqliteStatement select_;
  SqliteStatement update_;
  SqliteStatement select_entry_;
  SqliteStatement update_entry_;
};

// A writer of rows to LMDB. A send is one transaction.
class LmdbWrite {
 public:
  using Store = LmdbStore;

  explicit LmdbWrite(const LmdbStore& store)
      : environment_(store.environment()), database_(store.database()) {}

  Status Begin();
  Status Insert(const KeyedRow& row) { return PutWith(row, MDB_NOOVERWRITE); }
  Status Replace(const KeyedRow& row);
  Status OverwriteEntry(const KeyedRow& row) { return PutWith(row, 0); }
  Status End(const Status& status);
  Status Put(const KeyedRow& row);
  Result<StoredRow> Read(const StoredRow& row);

 private:
  Status PutWith(const StoredRow& row, unsigned int flags);

  MDB_env* environment_;
  MDB_dbi database_;
  MDB_txn* transaction_ = nullptr;
};

}  // namespace dolmen::bench
