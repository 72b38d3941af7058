// For requests on several tables: beside the one of numbers, which has no sort key.

#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/behaviour/one_item.h"

namespace dolmen::behaviour {

class SeveralTablesTest : public OneItemTest {
 protected:
  static void SetUpTestSuite() {
    OneItemTest::SetUpTestSuite();
    auto numbers = database().CreateTable(
        {.name = "numbers", .partition_key = {"id", AttributeType::kN}, .sort_key = std::nullopt});
    ASSERT_THAT(numbers, IsOk());
    numbers_ = new Table(*std::move(numbers));
  }
  static void TearDownTestSuite() {
    delete std::exchange(numbers_, nullptr);
    OneItemTest::TearDownTestSuite();
  }

  static const Table& numbers() { return *numbers_; }

  // Keys of numbers() that only the caller has: this one and the 999 behind it.
  static int UniqueNumber() {
    static std::atomic<int> next = 0;
    return next += 1000;
  }

  // A table that is gone, of which a handle is left.
  static Table Deleted() {
    auto table = database().CreateTable({.name = "deleted"});
    EXPECT_THAT(table, IsOk());
    EXPECT_THAT(database().DeleteTable("deleted"), IsOk());
    return *std::move(table);
  }

  // A table of another database, which it keeps open.
  static Table Stranger() {
    auto database = Database::InMemory();
    EXPECT_THAT(database, IsOk());
    auto table = database->CreateTable({.name = "stranger"});
    EXPECT_THAT(table, IsOk());
    return *std::move(table);
  }

  // Keys of table(): "0", "1", ...
  std::vector<Item> Keys(int count) const {
    std::vector<Item> keys;
    for (int i = 0; i < count; ++i) keys.push_back(Key(std::to_string(i)));
    return keys;
  }

  // Keys of numbers(), from `first` on.
  static std::vector<Item> NumberKeys(int first, int count) {
    std::vector<Item> keys;
    for (int i = 0; i < count; ++i) keys.push_back({{"id", first + i}});
    return keys;
  }

  // The item of numbers(), or an empty one if there is none.
  static Item GetNumber(int id) {
    const auto got = numbers().GetItem({.key = {{"id", id}}});
    EXPECT_THAT(got, IsOk());
    return got.ok() && got->item ? *got->item->Copy() : Item{};
  }

 private:
  inline static Table* numbers_ = nullptr;
};

inline std::vector<Item> Copies(const std::vector<StoredItem>& items) {
  std::vector<Item> copies;
  for (const StoredItem& item : items) copies.push_back(*item.Copy());
  return copies;
}

// What a request says of a table that is gone, and of one of another database.
inline auto HasNoTable() {
  return StatusIs(StatusCode::kResourceNotFound, testing::StrEq("Requested resource not found"));
}
inline auto RefusesTheStranger() { return IsInvalidWith("stranger"); }

}  // namespace dolmen::behaviour
