// Item collections with a small limit.

#include "dolmen/wire.h"
#include "tests/simulate/fixture.h"

namespace dolmen::simulate {
namespace {

class ItemCollectionsTest : public SimulateTest {
 protected:
  ItemCollectionsTest() {
    Simulate(SimulateOptions{.item_collection_bytes = 1'000});
    // An item has more than 400 bytes, and its entry in the index, too.
    EXPECT_THAT(PutLarge("full", "1"), IsOk());
    EXPECT_THAT(PutLarge("full", "2"), IsOk());
  }

  static Item Large(std::string_view pk, std::string_view sk) {
    Item item = KeyOf(pk, sk);
    item["text"] = std::string(400, 'x');
    item["age"] = 1;
    return item;
  }
  Status PutLarge(std::string_view pk, std::string_view sk) const {
    return notes_.PutItem({.item = Large(pk, sk)}).status();
  }
  static auto IsFull() { return StatusIs(StatusCode::kItemCollectionSizeLimitExceeded, _); }

  Table notes_ = test::Value(db_.CreateTable(
      {.name = "notes",
       .local_secondary_indexes = {{.name = "by_age", .sort_key = {"age", AttributeType::kN}}}}));
};

TEST_F(ItemCollectionsTest, AFullCollectionTakesNoItems) {
  EXPECT_THAT(PutLarge("full", "3"), IsFull());
  EXPECT_THAT(
      notes_.UpdateItem({.key = KeyOf("full", "1"), .update = "SET n = :n", .values = {{":n", 1}}}),
      IsFull());
  EXPECT_THAT(PutLarge("other", "1"), IsOk());
  EXPECT_EQ(test::Value(notes_.Query({.key_condition = Partition("full")})).size(), 2U);
}

TEST_F(ItemCollectionsTest, ItemsOfAFullCollectionCanBeDeleted) {
  EXPECT_THAT(notes_.DeleteItem({.key = KeyOf("full", "1")}), IsOk());
  EXPECT_THAT(PutLarge("full", "3"), IsOk());
}

TEST_F(ItemCollectionsTest, ATableWithoutLocalIndexesHasNoLimit) {
  for (const char* sk : {"1", "2", "3", "4"}) {
    EXPECT_THAT(table_.PutItem({.item = Large("full", sk)}), IsOk());
  }
}

TEST_F(ItemCollectionsTest, ABatchAndATransactionFailAsAWhole) {
  EXPECT_THAT(
      db_.BatchWriteItem(
          {.requests = {{notes_,
                         {PutRequest{Large("other", "1")}, PutRequest{Large("full", "3")}}}}}),
      IsFull());
  const Status canceled =
      db_.TransactWriteItems({.actions = {{notes_, DeleteItemInput{.key = KeyOf("full", "1")}},
                                          {notes_, PutItemInput{.item = Large("full", "3")}}}})
          .status();
  ASSERT_EQ(canceled.reasons().size(), 2U);
  EXPECT_THAT(canceled.reasons()[0], IsOk());
  EXPECT_THAT(canceled.reasons()[1], IsFull());
  EXPECT_EQ(test::Value(notes_.Scan({})).size(), 2U);
}

TEST_F(ItemCollectionsTest, TheWireHasTheNameOfAws) {
  const EndpointResponse response = Endpoint(db_).Execute(
      "PutItem", R"({"TableName":"notes","Item":{"PK":{"S":"full"},"SK":{"S":"3"}}})");
  EXPECT_EQ(response.status, 400);
  EXPECT_EQ(
      response.body,
      R"({"__type":"com.amazonaws.dynamodb.v20120810#ItemCollectionSizeLimitExceededException",)"
      R"("message":"Collection size exceeded."})");
}

}  // namespace
}  // namespace dolmen::simulate
