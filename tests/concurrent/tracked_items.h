// The database items that a history (history.h) describes, and the requests that read and write
// them.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "dolmen/dolmen.h"
#include "tests/concurrent/history.h"

namespace dolmen::test {

// The effect of a request on one item.
struct Change {
  enum class Kind : std::uint8_t { kUpdate, kPut, kDelete, kConditionCheck };

  Kind kind = Kind::kUpdate;
  std::size_t item = 0;
  // The condition of the request: the state that the item must have. If `expected` is not set, the
  // request has no condition on an item that starts absent. Any other item must exist.
  // REQUIRES:
  // - kPut: `expected` has all marks. The put writes these marks and the marks in `appended`.
  // - kDelete in a transaction: `expected` has all marks.
  // - kConditionCheck: `expected` is set.
  std::optional<Seen> expected = {};
  Marks appended = {};  // for kUpdate and kPut
};

// A few items in two tables of their own. They are few, so that threads often use the same item.
// Const methods are thread-safe.
class TrackedItems {
 public:
  static constexpr std::size_t kItems = 12;
  static constexpr std::size_t kTables = 2;
  static constexpr std::size_t kPartitions = 3;  // in each table
  static constexpr std::size_t kIndexed = 0;     // the table with the index kIndex
  static constexpr const char* kIndex = "GSI1";  // has all items of the table in one partition

  // Creates the tables and items. `name` distinguishes these tables from others in the database.
  static Result<TrackedItems> Create(Database database, const std::string& name);
  Status Drop();

  const std::vector<TrackedItem>& items() const { return items_; }
  const Table& table(std::size_t number) const { return tables_[number]; }
  const Table& TableOf(std::size_t item) const { return tables_[item % kTables]; }
  Item KeyOf(std::size_t item) const;

  // Return the items that can exist in a table or partition.
  std::vector<std::size_t> InTable(std::size_t table) const;
  std::vector<std::size_t> InPartition(std::size_t table, std::size_t partition) const;
  static std::string PartitionName(std::size_t partition) {
    return "p" + std::to_string(partition);
  }

  // Return the request for a change. If the condition fails, the request returns the item.
  PutItemInput Put(const Change& change) const;
  UpdateItemInput Update(const Change& change) const;
  DeleteItemInput Delete(const Change& change) const;
  TransactWriteItem Action(const Change& change) const;

  // Returns the states of `items` that a page shows. An item that the page does not hold is
  // absent. An item outside `items`, or an item that is on the page twice, fails the test.
  std::vector<ItemRead> SeenOn(const QueryOutput& page,
                               const std::vector<std::size_t>& items) const;

 private:
  explicit TrackedItems(Database database) : database_(std::move(database)) {}

  ConditionCheckInput Check(const Change& change) const;
  ConditionExpression ConditionOf(const Change& change) const;

  Database database_;
  std::vector<Table> tables_;
  std::vector<TrackedItem> items_;
};

// Returns the state of a stored item, or absent if `item` is null. For a value that is not a list
// of marks, returns a mark that was never written, which the checker reports.
Seen SeenOf(const StoredItem* item);

}  // namespace dolmen::test
