// drain_20000 takes 20,000 items from a queue, one after the other: it reads the item with the smallest sort key, and
// deletes it. steady_queue takes an item from a queue of ten and puts another one behind the last. The cost of an item
// should not grow with the number of items that were taken before. The counter last/first divides the time of the last
// thousand items of a drain by that of the first thousand.
//
// RocksDB is missing: its iterator passes over each deleted row, so that a drain takes the square of the number of items.

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

#include "bench/contender.h"
#include "bench/dolmen_store.h"
#include "bench/lmdb_store.h"
#include "bench/sqlite_store.h"
#include "dolmen/table.h"

namespace dolmen::bench::queue {
namespace {

const std::string kJob(200, 'j');  // the content of an item

std::string SortKey(std::uint64_t number) {
  std::array<char, 24> text;
  std::snprintf(text.data(), text.size(), "JOB#%015llu", static_cast<unsigned long long>(number));
  return text.data();
}

// A queue in each of the stores. Take() reads and deletes the first item, and returns its sort key, which is empty if there
// is no item.
class DolmenQueue {
 public:
  using Store = DolmenStore;

  DolmenQueue(const DolmenStore& store, const std::string& partition)
      : table_(store.table()), partition_(partition) {}

  Status Put(std::uint64_t number) {
    return table_.PutItem({.item = {{"PK", partition_}, {"SK", SortKey(number)}, {"job", kJob}}})
        .status();
  }
  Result<std::string> Take() {
    if (Status read = table_.Query(first_, &page_); !read.ok()) return read;
    if (page_.size() == 0) return std::string();
    std::string sort(*page_[0]["SK"].AsString());
    const Status deleted = table_.DeleteItem({.key = {{"PK", partition_}, {"SK", sort}}}).status();
    if (!deleted.ok()) return deleted;
    return sort;
  }

 private:
  const Table table_;
  const std::string partition_;
  const QueryInput first_{.key_condition = Partition(partition_), .limit = 1};
  QueryOutput page_;
};

class SqliteQueue {
 public:
  using Store = SqliteStore;

  SqliteQueue(const SqliteStore& store, const std::string& partition)
      : partition_(partition),
        put_(store.db(), "INSERT INTO items (pk, sk, item) VALUES (?, ?, ?)"),
        first_(store.db(), "SELECT sk, item FROM items WHERE pk = ? ORDER BY sk LIMIT 1"),
        delete_(store.db(), "DELETE FROM items WHERE pk = ? AND sk = ?") {}

  Status Put(std::uint64_t number) {
    const std::string sort = SortKey(number);
    put_.BindText(1, partition_);
    put_.BindText(2, sort);
    put_.BindBlob(3, kJob);
    return put_.Run();
  }
  Result<std::string> Take() {
    first_.BindText(1, partition_);
    std::string sort;
    if (first_.Step() == SQLITE_ROW) sort = first_.Column(0);
    first_.Reset();
    if (sort.empty()) return sort;
    delete_.BindText(1, partition_);
    delete_.BindText(2, sort);
    if (Status deleted = delete_.Run(); !deleted.ok()) return deleted;
    return sort;
  }

 private:
  const std::string partition_;
  SqliteStatement put_;
  SqliteStatement first_;
  SqliteStatement delete_;
};

class LmdbQueue {
 public:
  using Store = LmdbStore;

  LmdbQueue(const LmdbStore& store, const std::string& partition)
      : partition_(partition), environment_(store.environment()), database_(store.database()) {}

  Status Put(std::uint64_t number) {
    const std::string text = partition_ + SortKey(number);
    return Write([&](MDB_txn* transaction) {
      MDB_val key = ToMdbVal(text);
      MDB_val value = ToMdbVal(kJob);
      return mdb_put(transaction, database_, &key, &value, MDB_NOOVERWRITE);
    });
  }
  // Reads and deletes in one transaction.
  Result<std::string> Take() {
    std::string sort;
    const Status taken = Write([&](MDB_txn* transaction) {
      MDB_cursor* cursor = nullptr;
      if (const int code = mdb_cursor_open(transaction, database_, &cursor); code != 0) return code;
      MDB_val key = ToMdbVal(partition_);
      MDB_val value;
      int code = mdb_cursor_get(cursor, &key, &value, MDB_SET_RANGE);
      if (code == 0 && ToBytes(key).starts_with(partition_)) {
        sort = ToBytes(key).substr(partition_.size());
        code = mdb_cursor_del(cursor, 0);
      }
      mdb_cursor_close(cursor);
      return code == MDB_NOTFOUND ? 0 : code;
    });
    if (!taken.ok()) return taken;
    return sort;
  }

 private:
  template <typename Change>
  Status Write(Change change) {
    MDB_txn* transaction = nullptr;
    int code = mdb_txn_begin(environment_, nullptr, 0, &transaction);
    if (code != 0) return FromLmdb(code, "a transaction of a queue");
    code = change(transaction);
    if (code == 0) return FromLmdb(mdb_txn_commit(transaction), "a transaction of a queue");
    mdb_txn_abort(transaction);
    return FromLmdb(code, "a transaction of a queue");
  }

  const std::string partition_;
  MDB_env* environment_;
  MDB_dbi database_;
};

// Takes an item, which must be the one with this number.
template <typename Queue>
Status TakeNumber(Queue* queue, std::uint64_t number) {
  const Result<std::string> sort = queue->Take();
  if (!sort.ok()) return sort.status();
  return *sort == SortKey(number) ? Status() : Status::Corruption("a queue has another first item");
}

template <typename Queue>
class QueueRow : public Contender {
 public:
  // A commit of SQLite and of LMDB writes files, which the processor's time leaves out.
  bool takes_real_time() const override { return true; }
  bool uses_copy() const override { return true; }

  Status Prepare(Stores& stores) override {
    const auto store = stores.CopyOf<typename Queue::Store>("queue");
    if (!store.ok()) return store.status();
    queue_.emplace(**store, "QUEUE#" + std::to_string((*store)->TakeNumber()));
    if (Status put = Put(10); !put.ok()) return put;
    return Take(10);
  }

 protected:
  Status Put(std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) {
      if (Status put = queue_->Put(next_++); !put.ok()) return put;
    }
    return {};
  }
  Status Take(std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) {
      if (Status taken = TakeNumber(&*queue_, first_++); !taken.ok()) return taken;
    }
    return {};
  }

 private:
  std::optional<Queue> queue_;
  std::uint64_t first_ = 0;
  std::uint64_t next_ = 0;
};

template <typename Queue>
class Drain : public QueueRow<Queue> {
 public:
  std::string name() const override { return "drain_20000/" + std::string(Queue::Store::kName); }

  void Time(benchmark::State& state) override {
    std::chrono::nanoseconds first = {};
    std::chrono::nanoseconds last = {};
    for ([[maybe_unused]] auto iteration : state) {
      state.PauseTiming();
      Status done = this->Put(kItems);
      state.ResumeTiming();
      if (done.ok()) done = TakeTimed(kPart, &first);
      if (done.ok()) done = this->Take(kItems - 2 * kPart);
      if (done.ok()) done = TakeTimed(kPart, &last);
      if (done.ok()) continue;
      state.SkipWithError(done.ToString().c_str());
      break;
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kItems));
    state.counters["last/first"] =
        static_cast<double>(last.count()) / static_cast<double>(first.count());
  }

 private:
  static constexpr std::uint64_t kItems = 20'000;
  static constexpr std::uint64_t kPart = 1'000;

  Status TakeTimed(std::uint64_t count, std::chrono::nanoseconds* time) {
    const auto begin = std::chrono::steady_clock::now();
    Status taken = this->Take(count);
    *time += std::chrono::steady_clock::now() - begin;
    return taken;
  }
};

template <typename Queue>
class Steady : public QueueRow<Queue> {
 public:
  std::string name() const override { return "steady_queue/" + std::string(Queue::Store::kName); }

  Status Prepare(Stores& stores) override {
    Status prepared = QueueRow<Queue>::Prepare(stores);
    return prepared.ok() ? this->Put(10) : prepared;
  }

  void Time(benchmark::State& state) override {
    for ([[maybe_unused]] auto iteration : state) {
      Status done = this->Put(1);
      if (done.ok()) done = this->Take(1);
      if (done.ok()) continue;
      state.SkipWithError(done.ToString().c_str());
      break;
    }
    state.SetItemsProcessed(state.iterations());
  }
};

const Registered<Drain<DolmenQueue>> kDrainDolmen;
const Registered<Drain<SqliteQueue>> kDrainSqlite;
const Registered<Drain<LmdbQueue>> kDrainLmdb;
const Registered<Steady<DolmenQueue>> kSteadyDolmen;
const Registered<Steady<SqliteQueue>> kSteadySqlite;
const Registered<Steady<LmdbQueue>> kSteadyLmdb;

}  // namespace
}  // namespace dolmen::bench::queue
