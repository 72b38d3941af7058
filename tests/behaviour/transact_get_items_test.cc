// Tests of TransactGetItems. The rule numbers are those of tests/behaviour/README.md.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactGetItems.html

#include <string>
#include <vector>

#include "tests/behaviour/several_tables.h"

namespace dolmen::behaviour {
namespace {

class TransactGetItemsTest : public SeveralTablesTest {
 protected:
  static Result<TransactGetItemsOutput> Get(const std::vector<TransactGetItem>& items) {
    return database().TransactGetItems({.items = items});
  }
  static std::vector<TransactGetItem> Of(const Table& table, const std::vector<Item>& keys) {
    std::vector<TransactGetItem> items;
    for (const Item& key : keys) items.push_back({.table = table, .key = key});
    return items;
  }
};

// Returns the items of a response, with an empty item in place of each absent item.
std::vector<Item> Items(const TransactGetItemsOutput& output) {
  std::vector<Item> items;
  for (const auto& item : output.items) items.push_back(item ? *item->Copy() : Item{});
  return items;
}

TEST_F(TransactGetItemsTest, ReturnsItemsInTheOrderOfTheRequest) {
  const int id = UniqueNumber();
  Put(With({{"n", 1}}, "a"));
  Put(With({{"n", 2}}, "b"));
  ASSERT_THAT(numbers().PutItem({.item = {{"id", id}, {"name", "one"}}}), IsOk());
  const auto got = Get({{.table = table(), .key = Key("b")},
                        {.table = numbers(), .key = {{"id", id}}},
                        {.table = table(), .key = Key("absent")},
                        {.table = numbers(), .key = {{"id", id + 1}}},
                        {.table = table(), .key = Key("a")}});
  ASSERT_THAT(got, IsOk());
  EXPECT_THAT(Items(*got), ElementsAre(With({{"n", 2}}, "b"), Item{{"id", id}, {"name", "one"}},
                                       Item{}, Item{}, With({{"n", 1}}, "a")));
  EXPECT_FALSE(got->items[2]);
  EXPECT_FALSE(got->items[3]);
  EXPECT_THAT(got->consumed_capacity, IsEmpty());  // not requested
}

// An existing item without any projected attribute is returned as an empty item. For an
// absent item, the response has no item.
TEST_F(TransactGetItemsTest, ProjectsEachItemByItself) {
  Put(With({{"m", Map{{"a", 1}, {"b", 2}}}, {"status", "new"}}, "a"));
  Put(With({{"status", "old"}}, "b"));
  const auto got =
      Get({{.table = table(), .key = Key("a"), .projection = "m.b, SK"},
           {.table = table(), .key = Key("b"), .projection = "#s", .names = {{"#s", "status"}}},
           {.table = table(), .key = Key("absent"), .projection = "m"}});
  ASSERT_THAT(got, IsOk());
  EXPECT_THAT(Items(*got), ElementsAre(Item{{"SK", "a"}, {"m", Map{{"b", 2}}}},
                                       Item{{"status", "old"}}, Item{}));
  EXPECT_FALSE(got->items[2]);

  const auto nothing = Get({{.table = table(), .key = Key("a"), .projection = "nothere"}});
  ASSERT_THAT(nothing, IsOk());
  ASSERT_TRUE(nothing->items[0]);
  EXPECT_THAT(nothing->items[0]->Copy(), IsOkAndHolds(Item{}));
}

TEST_F(TransactGetItemsTest, AcceptsOneToAHundredItems) {
  const std::string error =
      "'transactItems' failed to satisfy constraint: Member must have length ";
  EXPECT_THAT(Get({}), IsInvalidWith(error + "greater than or equal to 1"));
  EXPECT_THAT(Get(Of(table(), Keys(101))), IsInvalidWith(error + "less than or equal to 100"));
  const auto got = Get(Of(table(), Keys(100)));
  ASSERT_THAT(got, IsOk());
  EXPECT_EQ(got->items.size(), 100u);
}

TEST_F(TransactGetItemsTest, RejectsTheSameItemTwice) {
  const std::string error = "Transaction request cannot include multiple operations on one item";
  EXPECT_THAT(Get(Of(table(), {Key("a"), Key("b"), Key("a")})), IsInvalid(error));
  EXPECT_THAT(Get({{.table = table(), .key = Key(), .projection = "a"},
                   {.table = table(), .key = Key(), .projection = "b"}}),
              IsInvalid(error));
  // Numbers are compared by value, so the keys 1 and 1.0 name one item.
  EXPECT_THAT(Get(Of(numbers(), {{{"id", 1}}, {{"id", N("1.0")}}})), IsInvalid(error));

  const Table twin = *database().CreateTable({.name = "twin"});
  EXPECT_THAT(Get({{.table = table(), .key = Key()}, {.table = twin, .key = Key()}}), IsOk());
}

TEST_F(TransactGetItemsTest, RejectsMoreThanFourMegabytesOfItems) {
  for (const Item& key : Keys(11)) {
    Item item = key;
    item["body"] = std::string(400'000, 'x');
    Put(item);
  }
  EXPECT_THAT(Get(Of(table(), Keys(10))), IsOk());
  std::vector<TransactGetItem> items = Of(table(), Keys(11));
  EXPECT_THAT(Get(items), IsInvalidWith("size cannot exceed 4MB"));
  // The size limit applies to the whole items, even if a projection returns only a part of each
  // item. This is unverified for DynamoDB.
  for (TransactGetItem& item : items) item.projection = "SK";
  EXPECT_THAT(Get(items), IsInvalidWith("size cannot exceed 4MB"));
}

TEST_F(TransactGetItemsTest, AKeyThatDoesNotMatchTheSchemaCancelsTheTransaction) {
  const TransactGetItem good{.table = table(), .key = Key()};
  for (const Item& key : {Item{}, Item{{"PK", "p"}}, Item{{"PK", "p"}, {"SK", 1}},
                          Item{{"PK", "p"}, {"SK", "s"}, {"x", 1}}, Item{{"id", 1}}}) {
    const TransactGetItem wrong{.table = table(), .key = key};
    const Status canceled = Get({wrong, good, wrong}).status();
    EXPECT_EQ(canceled.code(), StatusCode::kTransactionCanceled);
    ASSERT_EQ(canceled.reasons().size(), 3u);
    EXPECT_THAT(canceled.reasons()[0], IsInvalid(kKeyMismatch));
    EXPECT_THAT(canceled.reasons()[1], IsOk());
    EXPECT_THAT(canceled.reasons()[2], IsOk());  // DynamoDB stops at the first mismatch
  }
}

// An error of the whole request comes before a key that does not match the schema.
TEST_F(TransactGetItemsTest, AnInvalidRequestIsRejectedWithoutReasons) {
  const TransactGetItem good{.table = table(), .key = Key()};
  const TransactGetItem wrong{.table = table(), .key = {{"PK", "p"}}};
  for (const auto& [invalid, part] : std::vector<std::pair<TransactGetItem, std::string>>{
           {{.table = table(), .key = Key("b"), .projection = "a, a.b"},
            "Invalid ProjectionExpression: Two document paths overlap"},
           {{.table = table(), .key = Key("b"), .names = {{"#n", "n"}}},
            "ExpressionAttributeNames"},
           {{.table = table(), .key = Key("")}, "cannot contain an empty string value"},
           {good, "cannot include multiple operations on one item"},
       }) {
    EXPECT_THAT(Get({good, invalid}), IsInvalidWith(part));
    EXPECT_THAT(Get({wrong, good, invalid}), IsInvalidWith(part));
  }
}

// All tables must exist and belong to the database.
TEST_F(TransactGetItemsTest, RejectsDeletedTablesAndTablesOfAnotherDatabase) {
  const TransactGetItem good{.table = table(), .key = Key()};
  EXPECT_THAT(Get({good, {.table = Deleted(), .key = Key()}}), HasNoTable());
  EXPECT_THAT(Get({good, {.table = Stranger(), .key = Key()}}), RefusesTheStranger());
}

}  // namespace
}  // namespace dolmen::behaviour
