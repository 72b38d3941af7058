// Tests of BatchWriteItem.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html

#include <string>
#include <vector>

#include "tests/behaviour/several_tables.h"

namespace dolmen::behaviour {
namespace {

class BatchWriteItemTest : public SeveralTablesTest {
 protected:
  static Result<BatchWriteItemOutput> Write(const std::vector<WriteRequests>& requests) {
    return database().BatchWriteItem({.requests = requests});
  }
  static std::vector<WriteRequest> Puts(const std::vector<Item>& items) {
    std::vector<WriteRequest> requests;
    for (const Item& item : items) requests.emplace_back(PutRequest{item});
    return requests;
  }
};

// One batch puts and deletes items in several tables. A put replaces the whole item. A delete of an
// absent item succeeds.
TEST_F(BatchWriteItemTest, PutsAndDeletesInSeveralTables) {
  const int id = UniqueNumber();
  Put(With({{"old", 1}}, "replaced"));
  Put(Key("deleted"));
  ASSERT_THAT(numbers().PutItem({.item = {{"id", id}}}), IsOk());
  const auto written = Write(
      {{table(),
        {PutRequest{With({{"n", 1}}, "new")}, PutRequest{With({{"n", 2}}, "replaced")},
         DeleteRequest{Key("deleted")}, DeleteRequest{Key("absent")}}},
       {numbers(), {DeleteRequest{{{"id", id}}}, PutRequest{{{"id", id + 1}, {"name", "one"}}}}}});
  ASSERT_THAT(written, IsOk());
  EXPECT_THAT(written->unprocessed_items, IsEmpty());
  EXPECT_THAT(written->consumed_capacity, IsEmpty());  // the request did not ask for it
  EXPECT_THAT(SortKeys({.key_condition = Partition(pk())}), ElementsAre("new", "replaced"));
  EXPECT_EQ(Get(Key("new")), With({{"n", 1}}, "new"));
  EXPECT_EQ(Get(Key("replaced")), With({{"n", 2}}, "replaced"));
  EXPECT_EQ(GetNumber(id), Item{});
  EXPECT_EQ(GetNumber(id + 1), (Item{{"id", id + 1}, {"name", "one"}}));
}

TEST_F(BatchWriteItemTest, KeepsIndexesUpToDate) {
  const auto in_index = [&](const std::string& sk, const std::string& order) {
    return With({{"GSI1PK", pk()}, {"GSI1SK", order}}, sk);
  };
  for (const std::string sk : {"deleted", "moved", "taken out"}) Put(in_index(sk, "1"));
  ASSERT_THAT(Write({{table(),
                      {PutRequest{in_index("added", "2")}, PutRequest{in_index("moved", "3")},
                       PutRequest{Key("taken out")}, DeleteRequest{Key("deleted")}}}}),
              IsOk());
  EXPECT_THAT(SortKeys({.index = "GSI1", .key_condition = Partition(pk())}),
              ElementsAre("added", "moved"));
}

TEST_F(BatchWriteItemTest, RejectsFewerThan1OrMoreThan25Requests) {
  const std::string constraint = "failed to satisfy constraint: ";
  const std::string each =
      constraint +
      "Map value must satisfy constraint: [Member must have length less than or equal to 25, "
      "Member must have length greater than or equal to 1]";
  EXPECT_THAT(Write({}), IsInvalid("The requestItems parameter is required for BatchWriteItem"));
  EXPECT_THAT(Write({{table(), {}}}), IsInvalidWith(each));
  EXPECT_THAT(Write({{table(), Puts(Keys(26))}}), IsInvalidWith(each));

  const auto across = [&](int count) {
    return Write({{table(), Puts(Keys(15))}, {numbers(), Puts(NumberKeys(UniqueNumber(), count))}});
  };
  EXPECT_THAT(across(11), IsInvalid("Too many items requested for the BatchWriteItem call"));
  EXPECT_THAT(SortKeys({.key_condition = Partition(pk())}), IsEmpty());
  EXPECT_THAT(across(10), IsOk());
  EXPECT_THAT(Write({{table(), Puts(Keys(25))}}), IsOk());
  EXPECT_EQ(SortKeys({.key_condition = Partition(pk())}).size(), 25u);
}

// Two requests for one item are rejected, whether they put or delete it.
TEST_F(BatchWriteItemTest, RejectsTwoRequestsForOneItem) {
  const WriteRequest put = PutRequest{With({{"n", 1}})};
  const WriteRequest other_put = PutRequest{With({{"n", 2}})};
  const WriteRequest erase = DeleteRequest{Key()};
  const auto duplicates = IsInvalid("Provided list of item keys contains duplicates");
  EXPECT_THAT(Write({{table(), {put, PutRequest{Key("b")}, other_put}}}), duplicates);
  EXPECT_THAT(Write({{table(), {put, erase}}}), duplicates);
  EXPECT_THAT(Write({{table(), {erase, erase}}}), duplicates);
  EXPECT_THAT(Write({{table(), {put}}, {table(), {erase}}}), duplicates);
  // Numbers are compared by value, so the keys 1 and 1.0 are duplicates.
  EXPECT_THAT(Write({{numbers(), {PutRequest{{{"id", 1}}}, DeleteRequest{{{"id", N("1.0")}}}}}}),
              duplicates);
  EXPECT_THAT(SortKeys({.key_condition = Partition(pk())}), IsEmpty());

  const Table twin = *database().CreateTable({.name = "twin"});
  EXPECT_THAT(Write({{table(), {put}}, {twin, {put}}}), IsOk());  // two items
}

// One invalid request makes the whole batch fail, and nothing is written. The messages for an
// invalid key differ from those of PutItem.
TEST_F(BatchWriteItemTest, RejectsAPutWithAnInvalidKeyAsAKeyMismatch) {
  for (const Item& item : {Item{}, Item{{"PK", pk()}}, Item{{"PK", pk()}, {"SK", 1}}}) {
    ASSERT_EQ(table().PutItem({.item = item}).status().code(), kValidation);
    EXPECT_THAT(Write({{table(), {PutRequest{Key("b")}, PutRequest{item}}}}),
                IsInvalid("The provided key element does not match the schema"));
  }
  EXPECT_THAT(SortKeys({.key_condition = Partition(pk())}), IsEmpty());
}

// The message for an invalid item equals the message that PutItem returns for the item.
TEST_F(BatchWriteItemTest, RejectsTheWholeBatchForOneInvalidPut) {
  for (const Item& item : {
           Item{{"PK", pk()}, {"SK", ""}},
           Item{{"PK", pk()}, {"SK", std::string(1025, 'x')}},
           With({{"body", std::string(kItemBytesMax, 'x')}}),
           With({{"set", StringSet()}}),
           With({{"text", "\xff"}}),
           With({{"deep", Nested(40)}}),
           With({{"GSI1PK", 1}}),  // key attributes of indexes, from here to the end
           With({{"GSI1SK", ""}}),
           With({{"game", "g"}, {"score", "x"}}),
       }) {
    const auto alone = table().PutItem({.item = item});
    ASSERT_EQ(alone.status().code(), kValidation);
    EXPECT_THAT(Write({{numbers(), {PutRequest{{{"id", 1}, {"by", "a wrong batch"}}}}},
                       {table(), {PutRequest{Key("b")}, PutRequest{item}}}}),
                IsInvalid(alone.status().message()));
  }
  EXPECT_THAT(SortKeys({.key_condition = Partition(pk())}), IsEmpty());
  EXPECT_EQ(GetNumber(1), Item{});
}

TEST_F(BatchWriteItemTest, RejectsTheWholeBatchForOneInvalidDelete) {
  for (const Item& key : {Item{}, Item{{"PK", pk()}}, Item{{"PK", pk()}, {"SK", 1}},
                          Item{{"PK", pk()}, {"SK", "s"}, {"x", 1}}, Item{{"id", 1}}}) {
    EXPECT_THAT(Write({{table(), {PutRequest{Key("b")}, DeleteRequest{key}}}}),
                IsInvalid("The provided key element does not match the schema"));
  }
  EXPECT_THAT(Write({{table(), {PutRequest{Key("b")}, DeleteRequest{{{"PK", pk()}, {"SK", ""}}}}}}),
              IsInvalidWith("cannot contain an empty string value. Key: SK"));
  EXPECT_THAT(SortKeys({.key_condition = Partition(pk())}), IsEmpty());
}

TEST_F(BatchWriteItemTest, RejectsADeletedTableAndATableOfAnotherDatabase) {
  EXPECT_THAT(Write({{table(), {PutRequest{Key()}}}, {Deleted(), {PutRequest{Key()}}}}),
              HasNoTable());
  EXPECT_THAT(Write({{table(), {PutRequest{Key()}}}, {Stranger(), {PutRequest{Key()}}}}),
              RefusesTheStranger());
  EXPECT_THAT(SortKeys({.key_condition = Partition(pk())}), IsEmpty());
}

// A batch may have 16 MB. A batch of 25 items of the maximum size stays below that limit.
TEST_F(BatchWriteItemTest, WritesTwentyFiveOfTheLargestItems) {
  std::vector<Item> items;
  for (Item& item : Keys(25)) {
    const std::size_t key_bytes = 4 + pk().size() + item["SK"].get_if<std::string>()->size();
    item["body"] = std::string(kItemBytesMax - key_bytes - 4, 'x');
    items.push_back(item);
  }
  EXPECT_THAT(Write({{table(), Puts(items)}}), IsOk());
  EXPECT_EQ(SortKeys({.key_condition = Partition(pk())}).size(), 25u);
}

// For each table, a batch consumes as much as the single writes to the table would.
// consumed_capacity_rules_test.cc tests the rules in detail.
TEST_F(BatchWriteItemTest, ReturnsTheCapacityThatEachTableConsumed) {
  const int id = UniqueNumber();
  Put(With({{"body", std::string(3000, 'x')}}, "deleted"));
  const auto written = database().BatchWriteItem(
      {.requests = {{numbers(), {DeleteRequest{{{"id", id}}}}},
                    {table(),
                     {PutRequest{With({{"body", std::string(1500, 'x')}}, "put")},
                      DeleteRequest{Key("deleted")}}}},
       .options = {.return_consumed_capacity = ReturnConsumedCapacity::kTotal}});
  ASSERT_THAT(written, IsOk());
  EXPECT_THAT(written->consumed_capacity,
              ElementsAre(ConsumedCapacity{.table_name = "numbers", .total = {.write_units = 1}},
                          ConsumedCapacity{.table_name = "app", .total = {.write_units = 2 + 3}}));
}

}  // namespace
}  // namespace dolmen::behaviour
