// Random operations on a database with a simulation, and a model of the items that may be stored.

#pragma once

#include <cstddef>
#include <cstdint>
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

// Returns rules with every fault, each with the chance.
std::vector<SimulateRule> AllFaults(double chance);

// A program that writes and reads twelve items of the table "app", one operation after the other.
// It checks after each operation:
// - An acknowledged write is stored.
// - A refused write is not stored.
// - A write with a server error is stored or not stored, as a whole.
class Workload {
 public:
  Workload(const Database& db, std::uint64_t seed);

  void Run(std::size_t operations);

 private:
  using Key = std::pair<std::string, std::string>;
  using Value = std::optional<std::int64_t>;  // nothing: the item does not exist
  // The values that an item may have. More than one after a server error.
  using Values = std::set<Value>;

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
  // Updates the model after a write of `value`, which had the outcome `status`.
  void Wrote(const Key& key, Value value, const Status& status);
  // Checks a value that a read returned. The model then knows that the item has this value.
  void Read(const Key& key, Value value);
  // Reads the item, and repeats the read after each fault.
  Value ReadNow(const Key& key);
  // Checks that the items of a complete read of all keys with the prefix are those of the model.
  void CheckItems(const std::string& pk, const std::map<Key, Value>& items);

  Database db_;
  Table table_;
  test::Random random_;
  std::map<Key, Values> model_;
  std::int64_t last_value_ = 0;
};

}  // namespace dolmen::simulate
