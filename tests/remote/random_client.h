// A client that writes and reads random items, and compares each result with the results before.

#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dolmen/database.h"
#include "tests/remote/possible_states.h"
#include "tests/support/random.h"

namespace dolmen::test {

// Counts of all clients. Two items, with the partition key "shared", hold their sums.
struct SharedCounts {
  std::atomic<std::int64_t> added = 0;        // updates of the item "sum" that were acknowledged
  std::atomic<std::int64_t> maybe_added = 0;  // those that may have been executed
  std::atomic<std::int64_t> transactions =
      0;  // each adds 1 to the item "transactions", exactly once
  std::array<std::atomic<std::size_t>, kWriteEnds> ends = {};
};

Item SharedKey(const std::string& name);

// Has a partition of its own. Each contradiction is a failure of the test. Not thread-safe.
class RandomClient {
 public:
  // `table` is remote. `truth` is the same table of the server's database.
  RandomClient(Database database, Table table, Table truth, std::size_t number, Random random,
               SharedCounts* counts);

  // Sends one random operation and its repetitions.
  void Step();

  // Compares all items with the server's database.
  void CheckTruth();

 private:
  static constexpr std::size_t kKeys = 6;
  // A condition for a write, and its meaning.
  struct Guard {
    ConditionExpression condition = {};
    PossibleStates::Condition holds = {};
  };

  Item Key(std::size_t key) const;
  Item NewItem(std::size_t key, std::int64_t number) const;
  std::int64_t NextNumber();
  std::vector<std::size_t> RandomKeys(std::size_t count);
  Guard RandomGuard(std::size_t key);

  void Put();
  void SetNumber();
  void AddToSum();
  void Delete();
  void AddToShared();
  void WriteBatch();
  void TransactWithToken();
  void TransactOnTwoItems();
  void Get();
  void GetBatch();
  void GetInTransaction();
  void QueryPartition();

  // Take account of the end of a write, and of an item that was read.
  void Wrote(std::size_t key, const Status& status, const Guard& guard,
             const PossibleStates::Effect& effect);
  void Wrote(std::size_t key, WriteEnd end, const Guard& guard,
             const PossibleStates::Effect& effect);
  void Saw(std::size_t key, const ItemState& seen);
  // Counts the end of a write.
  WriteEnd Count(const Status& status);

  const Database database_;
  const Table table_;
  const Table truth_;
  const std::string partition_;
  Random random_;
  SharedCounts* const counts_;
  std::int64_t last_number_;
  std::array<PossibleStates, kKeys> states_ = {};
};

}  // namespace dolmen::test
