// inbox_50: a user's 50 newest conversations, newest first, from a covering index: GSI1, whose
// entries hold the participants' items.

#include <string>
#include <string_view>

#include "bench/contender.h"
#include "bench/data.h"
#include "bench/dolmen_query.h"
#include "bench/lmdb_store.h"
#include "bench/newest_rows.h"
#include "bench/rocksdb_store.h"
#include "bench/sqlite_store.h"

namespace dolmen::bench {
namespace {

class Inbox50 {
 public:
  static constexpr std::string_view kName = "inbox_50";

  explicit Inbox50(const ChatData& data) : data_(data) {}

  template <typename Store>
  static Result<const Store*> StoreOf(Stores& stores) {
    return stores.ToRead<Store>();
  }

  std::uint64_t partitions() const { return data_.users(); }
  std::string Partition(std::uint64_t i) const { return ChatData::IndexPartition(i); }

  Answer Expected(std::uint64_t user) const {
    Answer answer;
    for (std::uint64_t n = 0; n < kRows; ++n) {
      const std::string bytes = StoredForm(data_.Participant(data_.NewestParticipant(user, n)));
      answer.push_back({std::string(EntryKeyOf(*ItemView::Parse(bytes)).bytes()), bytes});
    }
    return answer;
  }

 private:
  ChatData data_;
};

class DolmenQuery : public DolmenQueryBase {
 public:
  explicit DolmenQuery(const DolmenStore& store) : DolmenQueryBase(store, kIndexName) {}
  Answer answer() const {
    return AnswerWith([](const ItemView& item) { return EntryKeyOf(item); });
  }
};

class RocksdbQuery {
 public:
  using Store = RocksdbStore;

  explicit RocksdbQuery(const RocksdbStore& store) : db_(store.db()) {}

  Status Ask(const std::string& partition) {
    return ReadLast(db_, EntriesOf(partition), kRows, &rows_);
  }

  std::size_t rows() const { return rows_.size(); }
  Answer answer() const { return rows_.rows(); }

 private:
  rocksdb::DB& db_;
  RowBuffer rows_;
};

// One prepared statement.
class SqliteQuery {
 public:
  using Store = SqliteStore;

  explicit SqliteQuery(const SqliteStore& store)
      : db_(store.db()),
        statement_(store.db(),
                   "SELECT gsi1sk, item FROM gsi1 WHERE gsi1pk = ?1 "
                   "ORDER BY gsi1sk DESC, pk DESC, sk DESC LIMIT ?2") {}

  Status Ask(const std::string& partition) {
    rows_.Clear();
    statement_.BindText(1, partition);
    statement_.BindInteger(2, kRows);
    int stepped = statement_.Step();
    for (; stepped == SQLITE_ROW; stepped = statement_.Step()) {
      rows_.Append(statement_.Column(0), statement_.Column(1));
    }
    Status status;
    if (stepped != SQLITE_DONE) status = FromSqlite(db_, "reading");
    statement_.Reset();
    return status;
  }

  std::size_t rows() const { return rows_.size(); }
  Answer answer() const {
    Answer answer;
    for (StoredRow& row : rows_.rows()) {
      std::string key(EntryKeyOf(*ItemView::Parse(row.item)).bytes());
      answer.push_back({std::move(key), std::move(row.item)});
    }
    return answer;
  }

 private:
  sqlite3* db_;
  SqliteStatement statement_;
  RowBuffer rows_;
};

// One transaction and one cursor, renewed for each query so that each sees the latest state.
class LmdbQuery {
 public:
  using Store = LmdbStore;

  explicit LmdbQuery(const LmdbStore& store) {
    opened_ = mdb_txn_begin(store.environment(), nullptr, MDB_RDONLY, &transaction_);
    if (opened_ == MDB_SUCCESS) {
      opened_ = mdb_cursor_open(transaction_, store.database(), &cursor_);
      mdb_txn_reset(transaction_);
    }
  }
  ~LmdbQuery() {
    if (cursor_ != nullptr) mdb_cursor_close(cursor_);
    if (transaction_ != nullptr) mdb_txn_abort(transaction_);
  }
  LmdbQuery(const LmdbQuery&) = delete;
  LmdbQuery& operator=(const LmdbQuery&) = delete;

  Status Ask(const std::string& partition) {
    rows_.Clear();
    if (opened_ != MDB_SUCCESS) return FromLmdb(opened_, "opening a cursor");
    int code = mdb_txn_renew(transaction_);
    if (code != MDB_SUCCESS) return FromLmdb(code, "renewing a transaction");
    code = mdb_cursor_renew(transaction_, cursor_);
    if (code == MDB_SUCCESS) code = Read(EntriesOf(partition));
    mdb_txn_reset(transaction_);
    return FromLmdb(code == MDB_NOTFOUND ? MDB_SUCCESS : code, "reading");
  }

  std::size_t rows() const { return rows_.size(); }
  Answer answer() const { return rows_.rows(); }

 private:
  int Read(const engine::KeyRange& range) {
    MDB_val key = ToMdbVal(range.upper.bytes());
    MDB_val item = {};
    int code = mdb_cursor_get(cursor_, &key, &item, MDB_SET_RANGE);
    code = mdb_cursor_get(cursor_, &key, &item, code == MDB_NOTFOUND ? MDB_LAST : MDB_PREV);
    while (code == MDB_SUCCESS && ToBytes(key) >= range.lower.bytes()) {
      rows_.Append(ToBytes(key), ToBytes(item));
      if (rows_.size() == kRows) break;
      code = mdb_cursor_get(cursor_, &key, &item, MDB_PREV);
    }
    return code;
  }

  MDB_txn* transaction_ = nullptr;
  MDB_cursor* cursor_ = nullptr;
  int opened_ = MDB_SUCCESS;
  RowBuffer rows_;
};

const Registered<NewestRows<Inbox50, DolmenQuery>> kDolmen;
const Registered<NewestRows<Inbox50, RocksdbQuery>> kRocksdb;
const Registered<NewestRows<Inbox50, SqliteQuery>> kSqlite;
const Registered<NewestRows<Inbox50, LmdbQuery>> kLmdb;

}  // namespace
}  // namespace dolmen::bench
