// Tests of global secondary indexes. The indexes are sparse, and each write updates the table and
// its indexes together.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.html

#include <string>

#include "tests/behaviour/fixture.h"

namespace dolmen::behaviour {
namespace {

using GlobalSecondaryIndexTest = TableTest;

QueryInput In(const std::string& user) {
  return {.index = "GSI1", .key_condition = Partition(user)};
}

TEST_F(GlobalSecondaryIndexTest, HoldsOnlyItemsWithAllItsKeyAttributes) {
  const std::string user = UniqueKey();
  const std::string partition = UniqueKey();
  Put({{"PK", partition}, {"SK", "both"}, {"GSI1PK", user}, {"GSI1SK", "x"}});
  Put({{"PK", partition}, {"SK", "partition only"}, {"GSI1PK", user}});
  Put({{"PK", partition}, {"SK", "sort only"}, {"GSI1SK", "x"}});
  Put({{"PK", partition}, {"SK", "none"}});
  EXPECT_THAT(SortKeys(In(user)), ElementsAre("both"));
}

TEST_F(GlobalSecondaryIndexTest, MovesChangesAndDeletesAnEntryWithItsItem) {
  const std::string user = UniqueKey();
  const std::string other = UniqueKey();
  const Item key = {{"PK", UniqueKey()}, {"SK", "s"}};
  Item item = key;
  item["GSI1PK"] = user;
  item["GSI1SK"] = "x";
  Put(item);
  EXPECT_THAT(SortKeys(In(user)), ElementsAre("s"));

  EXPECT_THAT(
      table().UpdateItem({.key = key, .update = "SET GSI1PK = :u", .values = {{":u", other}}}),
      IsOk());
  EXPECT_THAT(SortKeys(In(user)), IsEmpty());
  EXPECT_THAT(SortKeys(In(other)), ElementsAre("s"));

  EXPECT_THAT(table().UpdateItem({.key = key, .update = "SET n = :n", .values = {{":n", 7}}}),
              IsOk());
  const auto page = table().Query(In(other));
  ASSERT_THAT(page, IsOk());
  ASSERT_EQ(page->size(), 1u);
  EXPECT_EQ((*page)[0]["n"].AsInt64(), 7);

  EXPECT_THAT(table().UpdateItem({.key = key, .update = "REMOVE GSI1SK"}), IsOk());
  EXPECT_THAT(SortKeys(In(other)), IsEmpty());
  Put(item);
  EXPECT_THAT(table().DeleteItem({.key = key}), IsOk());
  EXPECT_THAT(SortKeys(In(user)), IsEmpty());
}

// A write of an item with an invalid index key is rejected. The item is not stored without its
// index entry.
TEST_F(GlobalSecondaryIndexTest, RejectsInvalidIndexKeysInPutsAndUpdates) {
  const Item key = {{"PK", UniqueKey()}, {"SK", "s"}};
  const auto put = [&](const std::string& name, const AttributeValue& value) {
    Item item = key;
    item[name] = value;
    return table().PutItem({.item = item});
  };
  EXPECT_THAT(
      put("score", "high"),
      StatusIs(kValidation,
               "One or more parameter values were invalid: Type mismatch for Index Key score "
               "Expected: N Actual: S IndexName: ByScore"));
  EXPECT_THAT(put("GSI1PK", ""),
              StatusIs(kValidation, HasSubstr("cannot contain an empty string value. IndexName: "
                                              "GSI1, IndexKey: GSI1PK")));
  EXPECT_THAT(put("GSI1PK", std::string(2049, 'x')), StatusIs(kValidation, HasSubstr("2048")));
  EXPECT_THAT(
      table().UpdateItem({.key = key, .update = "SET score = :s", .values = {{":s", "high"}}}),
      StatusIs(kValidation, HasSubstr("Type mismatch for Index Key score")));
  EXPECT_THAT(
      table().UpdateItem({.key = key, .update = "SET GSI1PK = :s", .values = {{":s", ""}}}),
      StatusIs(kValidation, HasSubstr("The update expression attempted to update a secondary index "
                                      "key to a value that is not supported.")));
  EXPECT_EQ(Get(key), Item{});
}

// It is unverified that a local index counts like a global one.
TEST_F(GlobalSecondaryIndexTest, TheMessageNamesTheFirstIndexOfTheAttributeByName) {
  const auto rooms = database().CreateTable(
      {.name = "rooms",
       .global_secondary_indexes = {{.name = "m_global", .partition_key = {{"room"}}},
                                    {.name = "k_global", .partition_key = {{"room"}}}},
       .local_secondary_indexes = {{.name = "a_local", .sort_key = {"room"}}}});
  ASSERT_THAT(rooms, IsOk());
  const auto put = [&](const AttributeValue& room) {
    return rooms->PutItem({.item = {{"PK", "p"}, {"SK", "s"}, {"room", room}}});
  };
  EXPECT_THAT(put(3), StatusIs(kValidation, HasSubstr("Actual: N IndexName: a_local")));
  EXPECT_THAT(put(""), StatusIs(kValidation, HasSubstr("IndexName: a_local, IndexKey: room")));
}

// An update that creates an item checks the index keys as PutItem does.
TEST_F(GlobalSecondaryIndexTest, RejectsInvalidIndexKeysOfItemsThatUpdatesCreate) {
  const auto inverted = database().CreateTable(
      {.name = "inverted",
       .global_secondary_indexes = {
           {.name = "by_sk", .partition_key = {{"SK"}}, .sort_key = {{"PK"}}}}});
  ASSERT_THAT(inverted, IsOk());
  const Item key{{"PK", std::string(1500, 'x')}, {"SK", "s"}};
  EXPECT_THAT(inverted->PutItem({.item = key}), StatusIs(kValidation, HasSubstr("1024 bytes")));
  EXPECT_THAT(inverted->UpdateItem({.key = key}),
              StatusIs(kValidation, HasSubstr("beyond allowed size limits")));
  EXPECT_THAT(inverted->UpdateItem({.key = key, .update = "SET n = :n", .values = {{":n", 1}}}),
              StatusIs(kValidation, HasSubstr("beyond allowed size limits")));
}

// If a value in the request is an invalid index key, UpdateItem rejects the request before it
// evaluates the condition. If a function in the update computes an invalid index key, UpdateItem
// rejects the request after it has read the item, with another message.
TEST_F(GlobalSecondaryIndexTest, RejectsInvalidIndexKeysThatUpdatesGiveOrCompute) {
  const Item key = {{"PK", UniqueKey()}, {"SK", "s"}};
  EXPECT_THAT(table().UpdateItem({.key = key,
                                  .update = "SET score = :s",
                                  .condition = "attribute_exists(PK)",
                                  .values = {{":s", "high"}}}),
              StatusIs(kValidation, HasSubstr("Type mismatch for Index Key score")));
  EXPECT_THAT(table().UpdateItem({.key = key,
                                  .update = "SET score = if_not_exists(score, :s)",
                                  .values = {{":s", "high"}}}),
              StatusIs(kValidation,
                       "The update expression attempted to update the secondary index "
                       "key to unsupported type"));
}

}  // namespace
}  // namespace dolmen::behaviour
