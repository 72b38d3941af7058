// Items for a history (history.h) in a database, and the requests on them.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "dolmen/dolmen.h"
#include "tests/concurrent/history.h"

namespace dolmen::test {

// What a request does to one item.
struct Change {
  enum class Kind : std::uint8_t { kUpdate, kPut, kDelete, kConditionCheck };

  Kind kind = Kind::kUpdate;
  std::size_t item = 0;
  // What the item must be like, else the request fails.  Nothing: an item that does not start
  // absent must be there.  REQUIRES: all marks for kPut, which replaces them by these and more; all
  // marks for a kDelete in a transaction; something for kConditionCheck
  std::optional<Seen> expected = {};
  Marks appended = {};  // kUpdate and kPut
};

// Few items, so that threads meet, in two tables of their own.  Const methods may be called from
// any thread.
class TrackedItems {
 public:
  static constexpr std::size_t kItems = 12;
  static constexpr std::size_t kTables = 2;
  static constexpr std::size_t kPartitions = 3;  // of each table
  static constexpr std::size_t kIndexed = 0;     // the table that has an index, kIndex
  static constexpr const char* kIndex = "GSI1";  // ... which holds the whole table in one partition

  // `name` tells these tables from others of the database.
  static Result<TrackedItems> Create(Database database, const std::string& name);
  Status Drop();

  const std::vector<TrackedItem>& items() const { return items_; }
  const Table& table(std::size_t number) const { return tables_[number]; }
  const Table& TableOf(std::size_t item) const { return tables_[item % kTables]; }
  Item KeyOf(std::size_t item) const;

  // Which items there may be.
  std::vector<std::size_t> InTable(std::size_t table) const;
  std::vector<std::size_t> InPartition(std::size_t table, std::size_t partition) const;
  static std::string PartitionName(std::size_t partition) {
    return "p" + std::to_string(partition);
  }

  // The requests.  When a condition fails, they ask for the item.
  PutItemInput Put(const Change& change) const;
  UpdateItemInput Update(const Change& change) const;
  DeleteItemInput Delete(const Change& change) const;
  TransactWriteItem Action(const Change& change) const;

  // What a page says about the items that there may be: those that it lacks are absent.  Something
  // that is no such item, or one that is there twice, fails the test.
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

// Null is no item.  What is not a list of marks is shown as one that nobody wrote.
Seen SeenOf(const StoredItem* item);

}  // namespace dolmen::test
