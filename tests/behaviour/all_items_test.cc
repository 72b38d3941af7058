// Tests of QueryAll and ScanAll, which read all pages of a Query or a Scan in one loop.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/behaviour/fixture.h"

namespace dolmen::behaviour {
namespace {

class AllItemsTest : public testing::Test {
 protected:
  static constexpr int kItems = 10;

  void SetUp() override {
    auto database = Database::InMemory();
    ASSERT_THAT(database, IsOk());
    database_ = *std::move(database);
    auto table = database_->CreateTable({.name = "app"});
    ASSERT_THAT(table, IsOk());
    table_ = *std::move(table);
    for (int i = 0; i < kItems; ++i) {
      ASSERT_THAT(table_->PutItem({.item = {{"PK", "p"}, {"SK", std::to_string(i)}, {"n", i}}}),
                  IsOk());
    }
  }

  const Database& database() const { return *database_; }
  const Table& table() const { return *table_; }

  // Returns the sort keys of the items of a range, one digit each.
  static std::string Digits(ItemRange range) {
    std::string digits;
    for (const ItemView item : range) digits.append(item["SK"].AsString().value_or("?"));
    EXPECT_THAT(range.status(), IsOk());
    return digits;
  }
  static QueryInput InThrees() { return {.key_condition = Partition("p"), .limit = 3}; }

 private:
  std::optional<Database> database_;
  std::optional<Table> table_;
};

TEST_F(AllItemsTest, ReadsAllPages) {
  EXPECT_EQ(Digits(table().QueryAll(InThrees())), "0123456789");
  EXPECT_EQ(Digits(table().ScanAll({.limit = 3})), "0123456789");
  QueryInput backward = InThrees();
  backward.forward = false;
  EXPECT_EQ(Digits(table().QueryAll(backward)), "9876543210");
  for (std::uint32_t limit = 1; limit <= kItems + 1; ++limit) {
    EXPECT_EQ(Digits(table().QueryAll({.key_condition = Partition("p"), .limit = limit})),
              "0123456789");
  }
}

TEST_F(AllItemsTest, AnEmptyResultEndsTheLoopAtOnce) {
  EXPECT_EQ(Digits(table().QueryAll({.key_condition = Partition("nothing"), .limit = 3})), "");
  const auto empty = database().CreateTable({.name = "empty"});
  ASSERT_THAT(empty, IsOk());
  EXPECT_EQ(Digits(empty->ScanAll({})), "");
  QueryInput counting = InThrees();
  counting.select = Select::kCount;  // pages without items
  EXPECT_EQ(Digits(table().QueryAll(counting)), "");
}

TEST_F(AllItemsTest, PagesWithoutItemsDoNotEndTheLoop) {
  QueryInput input = InThrees();
  input.limit = 2;
  input.filter = "n = :first OR n = :last";
  input.values = {{":first", 1}, {":last", 8}};
  EXPECT_EQ(Digits(table().QueryAll(input)), "18");
  input.values = {{":first", 4}, {":last", 5}};  // the first and the last pages have no items
  EXPECT_EQ(Digits(table().QueryAll(input)), "45");
  EXPECT_EQ(Digits(table().ScanAll({.filter = input.filter, .values = input.values, .limit = 1})),
            "45");
}

TEST_F(AllItemsTest, ASecondLoopBeginsWithTheItemAtWhichTheFirstLoopEnded) {
  ItemRange range = table().QueryAll(InThrees());
  int items = 0;
  for ([[maybe_unused]] const ItemView item : range) {
    if (++items == 5) break;
  }
  EXPECT_EQ((*range.begin())["SK"].AsString(), "4");
  while (range.begin() != range.end()) ++range.begin();
  EXPECT_THAT(range.status(), IsOk());
  EXPECT_TRUE(range.begin() == range.end());
}

TEST_F(AllItemsTest, BeginsAfterTheStartKey) {
  QueryInput input = InThrees();
  input.exclusive_start_key = {{"PK", "p"}, {"SK", "4"}};
  EXPECT_EQ(Digits(table().QueryAll(input)), "56789");
  EXPECT_EQ(Digits(table().ScanAll({.limit = 3, .exclusive_start_key = input.exclusive_start_key})),
            "56789");
}

TEST_F(AllItemsTest, PageIsThePageOfTheCurrentItem) {
  QueryInput input = InThrees();
  input.options.return_consumed_capacity = ReturnConsumedCapacity::kTotal;
  ItemRange range = table().QueryAll(input);
  int i = 0;
  for (const ItemView item : range) {
    ASSERT_LT(i, kItems);
    const QueryOutput& page = range.page();
    EXPECT_EQ(page.size(), i < 9 ? 3U : 1U);
    EXPECT_EQ(page[static_cast<std::size_t>(i % 3)].bytes().data(), item.bytes().data());
    EXPECT_TRUE(page.consumed_capacity().has_value());
    ++i;
  }
  EXPECT_EQ(i, kItems);
}

TEST_F(AllItemsTest, AnInvalidRequestEndsTheLoopWithItsError) {
  ItemRange range = table().QueryAll({.key_condition = Partition("p"), .limit = 0});
  EXPECT_THAT(range.status(), IsOk());  // nothing is read before the loop
  for (const ItemView item : range) ADD_FAILURE() << item.ToString();
  EXPECT_THAT(range.status(), StatusIs(kValidation, testing::_));
}

TEST_F(AllItemsTest, AnErrorBetweenPagesEndsTheLoopWithItsError) {
  ItemRange query = table().QueryAll(InThrees());
  ItemRange scan = table().ScanAll({.limit = 3});
  auto scanned = scan.begin();
  int count = 0;
  for (const ItemView item : query) {
    EXPECT_TRUE(item["n"].exists());
    if (++count != 2) continue;
    ASSERT_THAT(database().DeleteTable("app"), IsOk());
  }
  EXPECT_EQ(count, 3);  // the rest of the first page, which had been read before
  EXPECT_THAT(query.status(), StatusIs(StatusCode::kResourceNotFound, testing::_));
  EXPECT_TRUE(query.page().empty());
  for (count = 0; !(scanned == scan.end()); ++scanned) ++count;
  EXPECT_EQ(count, 3);
  EXPECT_THAT(scan.status(), StatusIs(StatusCode::kResourceNotFound, testing::_));
}

}  // namespace
}  // namespace dolmen::behaviour
