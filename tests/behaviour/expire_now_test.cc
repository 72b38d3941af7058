// Tests of ExpireNow: the items and index entries that it deletes, the stream records that it
// writes, and the reads and writes of expired items before their deletion.
// expiry_time_test.cc tests when an item expires. The rule numbers are those of
// tests/behaviour/README.md.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/howitworks-ttl.html

#include "tests/behaviour/expire_now.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace dolmen::behaviour {
namespace {

TEST_F(ExpireNowTest, LetsExpiredItemsBeReadUntilTheyAreDeleted) {
  PutSession("a", In(seconds(-1)));
  PutSession("b", In(seconds(60)));
  EXPECT_TRUE(table().GetItem({.key = Key("a")})->item);
  EXPECT_EQ(table().Scan({})->count(), 2u);
  EXPECT_EQ(table().Query({.key_condition = Partition("p"), .select = Select::kCount})->count(),
            2u);
  for (const std::string& index : kEverywhere) {
    EXPECT_THAT(SortKeys(Everything(index, std::nullopt)), ElementsAre("a", "b")) << index;
    EXPECT_EQ(table().Scan({.index = index})->count(), 2u) << index;
  }
  const auto batch = database().BatchGetItem({.requests = {{table(), {Key("a"), Key("b")}}}});
  ASSERT_THAT(batch, IsOk());
  EXPECT_EQ(batch->responses[0].size(), 2u);
  const auto transaction = database().TransactGetItems({.items = {{table(), Key("a")}}});
  ASSERT_THAT(transaction, IsOk());
  EXPECT_TRUE(transaction->items[0]);
}

TEST_F(ExpireNowTest, LetsExpiredItemsBeChangedUntilTheyAreDeleted) {
  PutSession("a", In(seconds(-1)));
  EXPECT_EQ(
      table().PutItem({.item = Key("a"), .condition = "attribute_not_exists(PK)"}).status().code(),
      StatusCode::kConditionalCheckFailed);
  const auto updated = table().UpdateItem({.key = Key("a"),
                                           .update = "SET n = :n",
                                           .condition = "attribute_exists(expires)",
                                           .values = {{":n", 1}},
                                           .return_values = ReturnValues::kAllNew});
  ASSERT_THAT(updated, IsOk());
  EXPECT_TRUE((*updated->attributes)["rank"].exists());
  const auto deleted =
      table().DeleteItem({.key = Key("a"), .return_values = ReturnValues::kAllOld});
  ASSERT_THAT(deleted, IsOk());
  EXPECT_TRUE(deleted->attributes);
  EXPECT_EQ(ExpireNow(), 0u);
  EXPECT_THAT(History(), ElementsAre("INSERT a", "MODIFY a", "REMOVE a"));
}

// Before ExpireNow deletes an expired item, a write of any kind may change or remove the item's
// expiry time. If the item then no longer counts as expired, ExpireNow keeps it.
TEST_F(ExpireNowTest, KeepsExpiredItemsThatAnyWriteRenewed) {
  for (const char* sort : {"update", "put", "batch", "transaction", "remove", "retype"}) {
    PutSession(sort, In(seconds(-1)));
  }
  const AttributeValue later = In(seconds(60));
  const auto update = [&](const std::string& sort) {
    return UpdateItemInput{.key = Key(sort), .update = Update().Set("expires", later)};
  };
  EXPECT_THAT(table().UpdateItem(update("update")), IsOk());
  PutSession("put", later);
  EXPECT_THAT(
      database().BatchWriteItem({.requests = {{table(), {PutRequest{Session("batch", later)}}}}}),
      IsOk());
  EXPECT_THAT(database().TransactWriteItems({.actions = {{table(), update("transaction")}}}),
              IsOk());
  EXPECT_THAT(table().UpdateItem({.key = Key("remove"), .update = Update().Remove("expires")}),
              IsOk());
  EXPECT_THAT(
      table().UpdateItem({.key = Key("retype"), .update = Update().Set("expires", "tomorrow")}),
      IsOk());
  EXPECT_EQ(ExpireNow(), 0u);
  EXPECT_EQ(StoredKeys().size(), 6u);
  clock().Advance(seconds(61));
  EXPECT_EQ(ExpireNow(), 4u);
  EXPECT_THAT(StoredKeys(), ElementsAre("remove", "retype"));
}

TEST_F(ExpireNowTest, DeletesIndexEntriesToo) {
  PutSession("a", In(seconds(-1)));
  PutSession("b", In(seconds(60)));
  PutSession("c", In(seconds(-1)));
  EXPECT_EQ(ExpireNow(), 2u);
  for (const std::string& index : kEverywhere) {
    EXPECT_THAT(SortKeys(Everything(index)), ElementsAre("b")) << index;
    EXPECT_EQ(table().Scan({.index = index})->count(), 1u) << index;
  }
}

TEST_F(ExpireNowTest, DeletesAtMostTheGivenNumberOfItems) {
  for (int i = 0; i < 25; ++i) PutSession(std::to_string(100 + i), In(seconds(-1)));
  PutSession("lives", In(seconds(60)));
  EXPECT_THAT(table().ExpireNow(0), IsOkAndHolds(0u));
  EXPECT_EQ(StoredKeys().size(), 26u);
  EXPECT_THAT(table().ExpireNow(1), IsOkAndHolds(1u));
  EXPECT_EQ(StoredKeys().size(), 25u);
  EXPECT_THAT(table().ExpireNow(20), IsOkAndHolds(20u));
  EXPECT_THAT(table().ExpireNow(100), IsOkAndHolds(4u));
  EXPECT_THAT(table().ExpireNow(100), IsOkAndHolds(0u));
  EXPECT_THAT(StoredKeys(), ElementsAre("lives"));
}

// ExpireNow deletes in batches. The test has more items than fit into one batch.
TEST_F(ExpireNowTest, DeletesAllExpiredItemsInSeveralBatches) {
  for (int i = 0; i < 1000; ++i) {
    Item item = Session(std::to_string(i), In(seconds(i % 2 == 0 ? -1 - i % 7 : 60)));
    item.insert_or_assign("PK", "p" + std::to_string(i % 9));
    Put(item);
  }
  EXPECT_EQ(ExpireNow(), 500u);
  const auto left = table().Scan({});
  ASSERT_THAT(left, IsOk());
  EXPECT_EQ(left->count(), 500u);
  for (const ItemView item : *left)
    EXPECT_EQ(item["expires"].AsInt64(), *In(seconds(60)).get_if<Number>()->ToInt64());
  for (const std::string& index : kEverywhere) {
    EXPECT_EQ(table().Scan({.index = index})->count(), 500u) << index;
  }
}

TEST_F(ExpireNowTest, DeletesItemsOfOneTableOnly) {
  CreateTableInput input = TableInput();
  input.name = "others";
  const auto others = database().CreateTable(input);
  ASSERT_THAT(others, IsOk());
  const Item expired = Session("a", In(seconds(-1)));
  Put(expired);
  ASSERT_THAT(others->PutItem({.item = expired}), IsOk());
  EXPECT_THAT(others->ExpireNow(), IsOkAndHolds(0u));
  ASSERT_THAT(database().UpdateTimeToLive(
                  {.table_name = "others", .specification = {.attribute_name = "expires"}}),
              IsOk());
  ASSERT_THAT(others->WaitForIndexes(), IsOk());
  EXPECT_THAT(others->ExpireNow(), IsOkAndHolds(1u));
  EXPECT_THAT(StoredKeys(), ElementsAre("a"));
  EXPECT_EQ(ExpireNow(), 1u);
}

// The stream record of an item that ExpireNow deletes has a userIdentity, which names the service.
TEST_F(ExpireNowTest, WritesAStreamRecordByTheService) {
  const Item expired = Session("a", In(seconds(-1)));
  Put(expired);
  PutSession("b", In(seconds(60)));
  ASSERT_EQ(ExpireNow(), 1u);
  ASSERT_THAT(table().DeleteItem({.key = Key("b")}), IsOk());
  EXPECT_EQ(ExpireNow(), 0u);
  EXPECT_THAT(History(), ElementsAre("INSERT a", "INSERT b", "REMOVE a by service", "REMOVE b"));
  const StreamRecord removed = Records().at(2);
  EXPECT_EQ(removed.event_name, EventName::kRemove);
  EXPECT_THAT(removed.keys.Copy(), IsOkAndHolds(Key("a")));
  ASSERT_TRUE(removed.old_image);
  EXPECT_THAT(removed.old_image->Copy(), IsOkAndHolds(expired));
  EXPECT_FALSE(removed.new_image);
  EXPECT_EQ(removed.size_bytes,
            removed.keys.view().size_bytes() + removed.old_image->view().size_bytes());
}

// A caller may delete an expired item. The record of this deletion does not name the service.
TEST_F(ExpireNowTest, WritesNoStreamRecordForItemsThatACallerDeleted) {
  PutSession("a", In(seconds(-1)));
  ASSERT_THAT(table().DeleteItem({.key = Key("a")}), IsOk());
  PutSession("b", In(seconds(-1)));
  ASSERT_THAT(
      database().TransactWriteItems({.actions = {{table(), DeleteItemInput{.key = Key("b")}}}}),
      IsOk());
  EXPECT_EQ(ExpireNow(), 0u);
  EXPECT_THAT(History(), ElementsAre("INSERT a", "REMOVE a", "INSERT b", "REMOVE b"));
}

TEST_F(ExpireNowTest, WritesOneStreamRecordForEachItem) {
  for (int i = 0; i < 100; ++i) PutSession(std::to_string(1000 + i), In(seconds(-1)));
  while (*table().ExpireNow(7) > 0) {
  }
  std::vector<std::string> removed;
  for (const StreamRecord& record : Records()) {
    if (record.by_service) removed.emplace_back(*record.keys["SK"].AsString());
  }
  std::ranges::sort(removed);
  ASSERT_EQ(removed.size(), 100u);
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(removed[static_cast<std::size_t>(i)], std::to_string(1000 + i));
}

// The time attribute may be the sort key of the table and of an index.
TEST_F(ExpireNowTest, DeletesItemsWhoseSortKeyIsTheTimeAttribute) {
  const auto made = database().CreateTable(
      {.name = "timeline",
       .sort_key = {{"expires", AttributeType::kN}},
       .global_secondary_indexes = {{.name = "ByUser",
                                     .partition_key = {{"user"}},
                                     .sort_key = {{"expires", AttributeType::kN}},
                                     .projection = ProjectionType::kKeysOnly}}});
  ASSERT_THAT(made, IsOk());
  ASSERT_THAT(database().UpdateTimeToLive(
                  {.table_name = "timeline", .specification = {.attribute_name = "expires"}}),
              IsOk());
  ASSERT_THAT(made->WaitForIndexes(), IsOk());
  const auto now = *In(seconds(0)).get_if<Number>()->ToInt64();
  for (std::int64_t i = now - 5; i < now + 5; ++i) {
    ASSERT_THAT(made->PutItem({.item = {{"PK", "p"}, {"expires", i}, {"user", "ann"}}}), IsOk());
  }
  const auto count = [&](const std::string& index, const char* partition, bool hide) {
    const auto page = made->Query(
        {.index = index, .key_condition = Partition(partition), .options = {.hide_expired = hide}});
    EXPECT_THAT(page, IsOk());
    return page.ok() ? page->count() : 0;
  };
  EXPECT_EQ(count("", "p", false), 10u);
  EXPECT_EQ(count("", "p", true), 5u);
  EXPECT_EQ(count("ByUser", "ann", false), 10u);
  EXPECT_EQ(count("ByUser", "ann", true), 5u);
  EXPECT_THAT(made->ExpireNow(), IsOkAndHolds(5u));
  EXPECT_EQ(count("", "p", false), 5u);
  EXPECT_EQ(count("ByUser", "ann", false), 5u);
  clock().Advance(seconds(1));
  EXPECT_THAT(made->ExpireNow(), IsOkAndHolds(1u));
}

// A background thread deletes expired items (OpenOptions::expiry_lag). The database's clock
// decides which items have expired. The machine's clock decides when the thread runs.
TEST(ExpireInBackgroundTest, DeletesItemsThatHaveExpiredByTheClockOfTheDatabase) {
  const auto clock = std::make_shared<ManualClock>(Timestamp(hours(1)));
  const auto db = Database::InMemory({.clock = clock, .expiry_lag = milliseconds(1)});
  ASSERT_THAT(db, IsOk());
  const auto table = db->CreateTable({.name = "app"});
  ASSERT_THAT(table, IsOk());
  ASSERT_THAT(
      db->UpdateTimeToLive({.table_name = "app", .specification = {.attribute_name = "expires"}}),
      IsOk());
  for (const int expires : {3599, 3600, 3601}) {
    ASSERT_THAT(table->PutItem(
                    {.item = {{"PK", "p"}, {"SK", std::to_string(expires)}, {"expires", expires}}}),
                IsOk());
  }
  const auto wait_for = [&](std::uint32_t count) {
    while (table->Scan({})->count() != count) std::this_thread::yield();
  };
  wait_for(2);
  clock->Advance(seconds(1));
  wait_for(1);
  clock->Advance(seconds(1));
  wait_for(0);
}

}  // namespace
}  // namespace dolmen::behaviour
