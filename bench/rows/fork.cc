// fork_memory and fork_disk create an independent copy of a filled database, read one item of it and
// close it, as a test does for each test case. fork_disk/dolmen_opened opens the directory of a fork
// instead, so the difference is the cost of the fork. The rows _1000 have a thousand messages; the
// other rows have all messages of the run.

#include <sqlite3.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <utility>

#include "bench/dolmen_store.h"
#include "bench/open_rows.h"
#include "bench/sqlite_store.h"

namespace dolmen::bench::fork {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kFewMessages = 1000;

DataSet MessagesOf(const Stores& stores, bool few) {
  DataSet data = stores.data().message_set();
  if (few) data.size = std::min(data.size, kFewMessages);
  return data;
}

std::string NameOf(const char* workload, const char* store, bool few) {
  return std::string(workload) + "/" + store + (few ? "_1000" : "");
}

std::string OriginalOf(const char* store, bool few) {
  return std::string("fork_") + store + (few ? "_1000" : "");
}

Item MiddleKey(const DataSet& data) {
  const Item item = data.item(data.size / 2);
  return {*item.find("PK"), *item.find("SK")};
}

// A fork with the key of an item that it contains.
struct Forked {
  Database database;
  Item key;

  Status ReadItem() const {
    const auto table = database.OpenTable("app");
    if (!table.ok()) return table.status();
    const auto read = table->GetItem({.key = key});
    if (!read.ok()) return read.status();
    return read->item ? Status() : Status::Corruption("the fork lacks an item");
  }
};

// Reads the item of a database that was opened.
Result<Forked> WithOneRead(Result<Database> opened, const Item& key) {
  if (!opened.ok()) return opened.status();
  Forked forked{*std::move(opened), key};
  if (Status read = forked.ReadItem(); !read.ok()) return read;
  return forked;
}

void Remove(const fs::path& directory) {
  std::error_code error;
  fs::remove_all(directory, error);
}

// A database in memory that the run owns, because it must be closed before main() returns.
struct KeptDatabase : OpenStore {
  explicit KeptDatabase(Database kept) : database(std::move(kept)) {}
  const Database database;
};

// Forks a Dolmen database. OnDisk: the original and the forks are on disk.
template <bool kOnDisk, bool kFew>
class DolmenForker {
 public:
  static std::string Name() {
    return NameOf(kOnDisk ? "fork_disk" : "fork_memory", "dolmen", kFew);
  }

  Status Prepare(Stores& stores) {
    const DataSet data = MessagesOf(stores, kFew);
    const auto store = stores.Own<DolmenStore>(OriginalOf("dolmen", kFew), data);
    if (!store.ok()) return store.status();
    key_ = MiddleKey(data);
    forks_ = stores.PlaceFor(OriginalOf("dolmen_forks", kFew));
    original_ = &(*store)->database();
    if (kOnDisk) return {};
    auto in_memory = original_->Fork();
    if (!in_memory.ok()) return in_memory.status();
    original_ = &stores
                     .Keep(OriginalOf("dolmen_memory", kFew),
                           std::make_unique<KeptDatabase>(*std::move(in_memory)))
                     ->database;
    return {};
  }

  void Clear() const { Remove(forks_); }

  Result<Forked> Open() const {
    return WithOneRead(original_->Fork({.directory = kOnDisk ? forks_.string() : ""}), key_);
  }

  static Status Check(const Forked& forked) { return forked.ReadItem(); }

 private:
  const Database* original_ = nullptr;
  Item key_;
  fs::path forks_;
};

// Opens the directory of a fork, which has the files of the original.
template <bool kFew>
class DirectoryOpener {
 public:
  static std::string Name() { return NameOf("fork_disk", "dolmen_opened", kFew); }

  Status Prepare(Stores& stores) {
    const DataSet data = MessagesOf(stores, kFew);
    const auto store = stores.Own<DolmenStore>(OriginalOf("dolmen", kFew), data);
    if (!store.ok()) return store.status();
    key_ = MiddleKey(data);
    directory_ = stores.PlaceFor(OriginalOf("dolmen_opened", kFew));
    Remove(directory_);
    return (*store)->database().Fork({.directory = directory_.string()}).status();
  }

  Result<Forked> Open() const { return WithOneRead(Database::Open(directory_.string()), key_); }

  static Status Check(const Forked& forked) { return forked.ReadItem(); }

 private:
  Item key_;
  fs::path directory_;
};

// Copies the closed directory of a Dolmen database, and opens the copy.
template <bool kFew>
class DirectoryCopier {
 public:
  static std::string Name() { return NameOf("fork_disk", "copied_directory", kFew); }

  Status Prepare(Stores& stores) {
    const DataSet data = MessagesOf(stores, kFew);
    original_ = stores.PlaceFor(OriginalOf("directory", kFew));
    copy_ = stores.PlaceFor(OriginalOf("directory_copy", kFew));
    key_ = MiddleKey(data);
    return DolmenStore::Fill(data, Layout::kCompacted, original_);
  }

  void Clear() const { Remove(copy_); }

  Result<Forked> Open() const {
    std::error_code error;
    fs::copy(original_, copy_, fs::copy_options::recursive, error);
    if (error) return Status::Storage("copying: " + error.message());
    return WithOneRead(Database::Open(copy_.string()), key_);
  }

  static Status Check(const Forked& forked) { return forked.ReadItem(); }

 private:
  fs::path original_;
  fs::path copy_;
  Item key_;
};

// Copies a SQLite database in memory with SQLite's backup API.
template <bool kFew>
class SqliteForker {
 public:
  static std::string Name() { return NameOf("fork_memory", "sqlite", kFew); }

  Status Prepare(Stores& stores) {
    const auto store =
        stores.Own<SqliteStore>(OriginalOf("sqlite", kFew), MessagesOf(stores, kFew));
    if (!store.ok()) return store.status();
    auto in_memory = Copy((*store)->db());
    if (!in_memory.ok()) return in_memory.status();
    original_ = *std::move(in_memory);
    return {};
  }

  Result<SqliteConnection> Open() const {
    auto copy = Copy(original_.get());
    if (copy.ok()) {
      if (Status read = Check(*copy); !read.ok()) return read;
    }
    return copy;
  }

  static Status Check(const SqliteConnection& copy) {
    SqliteStatement read(copy.get(), "SELECT item FROM items LIMIT 1");
    return read.Step() == SQLITE_ROW ? Status() : Status::Corruption("the copy lacks an item");
  }

 private:
  static Result<SqliteConnection> Copy(sqlite3* from) {
    sqlite3* opened = nullptr;
    const int code = sqlite3_open(":memory:", &opened);
    SqliteConnection to(opened);
    if (code != SQLITE_OK) return FromSqlite(opened, "opening in memory");
    sqlite3_backup* backup = sqlite3_backup_init(opened, "main", from, "main");
    if (backup != nullptr) sqlite3_backup_step(backup, -1);
    if (sqlite3_backup_finish(backup) != SQLITE_OK) return FromSqlite(opened, "copying");
    return to;
  }

  SqliteConnection original_;
};

const Registered<OpenRow<DolmenForker<false, true>>> kMemoryFew;
const Registered<OpenRow<DolmenForker<false, false>>> kMemory;
const Registered<OpenRow<SqliteForker<true>>> kSqliteFew;
const Registered<OpenRow<SqliteForker<false>>> kSqlite;
const Registered<OpenRow<DolmenForker<true, true>>> kDiskFew;
const Registered<OpenRow<DolmenForker<true, false>>> kDisk;
const Registered<OpenRow<DirectoryOpener<true>>> kOpenedFew;
const Registered<OpenRow<DirectoryOpener<false>>> kOpened;
const Registered<OpenRow<DirectoryCopier<true>>> kCopyFew;
const Registered<OpenRow<DirectoryCopier<false>>> kCopy;

}  // namespace
}  // namespace dolmen::bench::fork
