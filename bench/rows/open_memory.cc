// open_memory opens and closes a new database in memory, as a test does for each test case.

#include <rocksdb/env.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bench/bare_senders.h"
#include "bench/open_rows.h"
#include "bench/rocksdb_store.h"
#include "bench/sqlite_store.h"
#include "bench/stored_rows.h"
#include "dolmen/database.h"
#include "engine/engine.h"
#include "engine/storage/rocks_status.h"
#include "engine/storage/rocks_versions.h"

namespace dolmen::bench::open_memory {
namespace {

// Returns the item that the check writes to a new database and reads back.
Item Sample() { return ChatData(10 * kMessagesPerConversation).Message(0); }

StoredRow SampleRow() {
  std::vector<StoredRow> rows;
  AppendStoredRows(Sample(), &rows);
  return rows.front();
}

Status CheckItem(std::string_view read) {
  return read == SampleRow().item
             ? Status()
             : Status::Corruption("the item that was read is not the item that was written");
}

// A base class of openers for OpenRow that need no preparation.
class MemoryOpener {
 public:
  static Status Prepare(Stores&) { return {}; }
};

class DolmenOpener : public MemoryOpener {
 public:
  static std::string Name() { return "open_memory/dolmen"; }

  static Result<Database> Open() { return Database::InMemory(); }

  static Status Check(const Database& database) {
    CreateTableInput description;
    description.name = "app";
    const Result<Table> table = database.CreateTable(description);
    if (!table.ok()) return table.status();
    const Item item = Sample();
    if (Status put = table->PutItem({.item = item}).status(); !put.ok()) return put;
    const auto read = table->GetItem({.key = {*item.find("PK"), *item.find("SK")}});
    if (!read.ok()) return read.status();
    return CheckItem(read->item ? read->item->view().bytes() : std::string_view());
  }
};

// Opens RocksDB in memory, with the options that Dolmen uses for databases in memory, and with RocksDB's
// own file system.
class RocksdbOpener : public MemoryOpener {
 public:
  struct Opened {
    std::unique_ptr<rocksdb::Env> files;
    std::unique_ptr<rocksdb::DB> db;  // destroyed before `files`, which holds its files
  };

  static std::string Name() { return "open_memory/rocksdb"; }

  static Result<Opened> Open() {
    engine::StoreOptions options = engine::Engine::StoreOptionsFor("/rocksdb", OpenOptions());
    options.in_memory = true;
    Opened opened;
    opened.files.reset(rocksdb::NewMemEnv(rocksdb::Env::Default()));
    DOLMEN_ASSIGN_OR_RETURN(
        opened.db,
        engine::OpenRocks(engine::RocksOptions(options, opened.files.get()), options.directory));
    return opened;
  }

  static Status Check(const Opened& opened) {
    const StoredRow row = SampleRow();
    std::string item;
    rocksdb::Status status = opened.db->Put(rocksdb::WriteOptions(), row.key, row.item);
    if (status.ok()) status = opened.db->Get(rocksdb::ReadOptions(), row.key, &item);
    return status.ok() ? CheckItem(item)
                       : engine::FromRocks(status, "writing an item and reading it back");
  }
};

// Opens SQLite in memory and creates the tables.
class SqliteOpener : public MemoryOpener {
 public:
  static std::string Name() { return "open_memory/sqlite"; }

  static Result<SqliteConnection> Open() {
    sqlite3* opened = nullptr;
    const int code = sqlite3_open(":memory:", &opened);
    SqliteConnection db(opened);
    if (code != SQLITE_OK) return FromSqlite(opened, "opening in memory");
    if (Status made = MakeSqliteTables(opened); !made.ok()) return made;
    return db;
  }

  static Status Check(const SqliteConnection& opened) {
    const StoredRow row = SampleRow();
    SqliteWrite write(opened.get());
    if (Status put = write.Put(KeyedRow(row)); !put.ok()) return put;
    const Result<StoredRow> read = write.Read(row);
    return read.ok() ? CheckItem(read->item) : read.status();
  }
};

const Registered<OpenRow<DolmenOpener>> kDolmen;
const Registered<OpenRow<RocksdbOpener>> kRocksdb;
const Registered<OpenRow<SqliteOpener>> kSqlite;

}  // namespace
}  // namespace dolmen::bench::open_memory
