// Random operations on a database with a simulation, and a model of the items that may be stored.

#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/simulate/fixture.h"
#include "tests/support/random.h"

namespace dolmen::simulate {

// Returns a policy with every fault: test::AllFaults(chance), limits of the capacity of partitions,
// reads that lag, and Scans in hash order.
SimulateOptions EveryFault(std::uint64_t seed, double chance, std::chrono::milliseconds read_lag);

struct WorkloadOptions {
  std::vector<std::string> partitions = {"a", "b", "c"};
  bool scans = true;  // false: the program reads only its own partitions
  std::chrono::milliseconds read_lag = std::chrono::milliseconds(0);  // of the simulation
  // Lets a time pass on the database's clock.
  std::function<void(std::chrono::milliseconds)> wait = {};
};

// A program that writes and reads four items of each of its partitions of the table "app" and of
// the index GSI1, one operation after the other. It checks after each operation:
// - An acknowledged write is stored.
// - A refused write is not stored.
// - A write with a server error is stored or not stored, as a whole.
// - A read that is not consistent returns for each item a state that is not older than the lag.
class Workload {
 public:
  Workload(const Database& db, std::uint64_t seed, WorkloadOptions options);

  // Creates the table "app" with its index.
  static void CreateTable(const Database& db);

  void Run(std::size_t operations);

 private:
  using Key = std::pair<std::string, std::string>;
  using Value = std::optional<std::int64_t>;  // nothing: the item does not exist
  // The values that an item may have. More than one after a server error.
  using Values = std::set<Value>;
  // The values from a time on, until the time of the next version.
  struct Version {
    Timestamp since;
    Values values;
  };
  // A value that a read returned, and the time of the read.
  struct Seen {
    Value value;
    Timestamp at;
  };

  void RunOne();
  void PutOne();
  void PutNew();
  void DeleteOne();
  void WriteBatch();
  void WriteTransaction();
  void GetOne();
  void GetBatch();
  void QueryPartition();
  void ScanTable();

  Key RandomKey();
  // Returns two different keys.
  std::pair<Key, Key> TwoKeys();
  Item NewItem(const Key& key);
  Values& ValuesOf(const Key& key) { return model_[key].back().values; }
  // Updates the model after a write of `value`, which had the outcome `status`.
  void Wrote(const Key& key, Value value, const Status& status);
  // Checks a value that a read returned. If the read is consistent, the model then knows that the
  // item has this value.
  void Read(const Key& key, const Seen& seen, bool consistent);
  // Reads the item, and repeats the read after each fault.
  Value ReadNow(const Key& key);
  // Reads all pages, and checks that they hold the items of the model with the partition key `pk`.
  // An empty `pk` means all partitions. Calls read(start key), which returns a page.
  template <typename ReadPage>
  void CheckPages(const std::string& pk, bool consistent, ReadPage read);

  Timestamp Now() const { return db_.clock()->Now(); }
  // Waits before the program repeats a call that failed.
  void Pause() { options_.wait(std::chrono::milliseconds(100)); }

  Database db_;
  Table table_;
  test::Random random_;
  const WorkloadOptions options_;
  std::map<Key, std::vector<Version>> model_;
  std::int64_t last_value_ = 0;
};

}  // namespace dolmen::simulate
