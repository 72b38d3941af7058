// Tests of expiry: which items expire, when they expire, and how they are deleted.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/howitworks-ttl.html

#include <string>
#include <thread>
#include <vector>

#include "tests/behaviour/expiring_table.h"

namespace dolmen::behaviour {
namespace {

using test::N;

class ExpireNowTest : public ExpiringTableTest {
 protected:
  void SetUp() override {
    ExpiringTableTest::SetUp();
    Enable();
  }

  // Returns true if an item with this time has expired.  Expects that hiding and deleting agree.
  bool Expires(const AttributeValue& value) const {
    PutSession("x", value);
    const bool hidden = IsHidden("x");
    const std::uint64_t deleted = ExpireNow();
    EXPECT_EQ(deleted, hidden ? 1u : 0u);
    EXPECT_EQ(IsStored("x"), !hidden);
    EXPECT_THAT(table().DeleteItem({.key = Key("x"), .hide_expired = false}), IsOk());
    return hidden;
  }
};

// Rule 11.2: an item has expired if its time is before the clock's, but by at most five years of 365
// days.
TEST_F(ExpireNowTest, ExpiresTimesInThePastUpToFiveYears) {
  EXPECT_FALSE(Expires(In(seconds(1'000'000'000))));
  EXPECT_FALSE(Expires(In(seconds(1))));
  EXPECT_FALSE(Expires(In(seconds(0))));
  EXPECT_TRUE(Expires(In(seconds(-1))));
  EXPECT_TRUE(Expires(In(-hours(24) * 365 * 4)));
  EXPECT_TRUE(Expires(In(-kFiveYears + seconds(1))));
  EXPECT_TRUE(Expires(In(-kFiveYears)));
  EXPECT_FALSE(Expires(In(-kFiveYears - seconds(1))));
  EXPECT_FALSE(Expires(0));  // 1970, more than five years ago
  EXPECT_FALSE(Expires(-1));
}

// Rule 11.1: the time is not rounded.  Unverified.
TEST_F(ExpireNowTest, ComparesFractionsOfSecondsExactly) {
  clock().Set(Timestamp(seconds(1'776'254'400)));
  EXPECT_TRUE(Expires(N("1776254399.5")));
  EXPECT_TRUE(Expires(N("1776254399.99999999999999999999")));
  EXPECT_FALSE(Expires(N("1776254400.0")));
  EXPECT_FALSE(Expires(N("1776254400.00000000000000000001")));
  EXPECT_FALSE(Expires(N("1776254400.5")));
  const auto five_years_ago = std::to_string(1'776'254'400 - kFiveYears.count());
  const auto earlier = std::to_string(1'776'254'400 - kFiveYears.count() - 1);
  EXPECT_TRUE(Expires(N(five_years_ago + ".00000000000000000001")));
  EXPECT_FALSE(Expires(N(earlier + ".99999999999999999999")));
}

// An item's time is usually in whole seconds, so the clock is rounded down to seconds too.
// Unverified.
TEST_F(ExpireNowTest, RoundsTheClockDownToWholeSeconds) {
  const AttributeValue second = In(seconds(0));
  clock().Advance(milliseconds(999));
  EXPECT_FALSE(Expires(second));
  clock().Advance(milliseconds(1));
  EXPECT_TRUE(Expires(second));
}

// Rule 11.2: a time in milliseconds is read as seconds, so the item does not expire.
TEST_F(ExpireNowTest, ReadsMillisecondsAsATimeInTheFarFuture) {
  const auto now = clock().Now().time_since_epoch();
  EXPECT_FALSE(Expires((now - seconds(1)).count()));
  EXPECT_FALSE(Expires((now - kFiveYears).count()));
}

// Rule 11.1.
TEST_F(ExpireNowTest, IgnoresTimeAttributesThatAreNotNumbers) {
  const auto past = std::chrono::floor<seconds>(clock().Now()).time_since_epoch().count() - 1;
  const std::string text = std::to_string(past);
  EXPECT_TRUE(Expires(past));
  EXPECT_TRUE(Expires(N("0" + text + ".00")));
  for (const AttributeValue& value :
       {AttributeValue(text), AttributeValue("2026-04-15T11:59:59Z"), AttributeValue(""),
        AttributeValue(test::B(text)), AttributeValue(true), AttributeValue(nullptr),
        AttributeValue(List{past}), AttributeValue(Map{{"expires", past}}),
        AttributeValue(StringSet{text}), AttributeValue(NumberSet{past}),
        AttributeValue(BinarySet{test::B(text)})}) {
    EXPECT_FALSE(Expires(value)) << testing::PrintToString(value);
  }
  for (const char* extreme : {"-1E125", "-1E-130", "1E-130", "1E125", "9.9E125"}) {
    EXPECT_FALSE(Expires(N(extreme))) << extreme;
  }
  Put(Key("without"));
  EXPECT_EQ(ExpireNow(), 0u);
  EXPECT_FALSE(IsHidden("without"));
}

// Rule 11.2: a time before 1970 is a negative number of seconds.
TEST_F(ExpireNowTest, ExpiresTimesBefore1970) {
  clock().Set(Timestamp(seconds(10)));
  EXPECT_TRUE(Expires(9));
  EXPECT_TRUE(Expires(0));
  EXPECT_TRUE(Expires(-1));
  EXPECT_TRUE(Expires(10 - kFiveYears.count()));
  EXPECT_FALSE(Expires(9 - kFiveYears.count()));
  clock().Set(Timestamp(-seconds(100)));
  EXPECT_TRUE(Expires(-101));
  EXPECT_TRUE(Expires(N("-100.5")));
  EXPECT_FALSE(Expires(-100));
  EXPECT_FALSE(Expires(N("-99.5")));
  EXPECT_FALSE(Expires(0));
}

// Rule 11.2.
TEST_F(ExpireNowTest, DeletesAnItemOneSecondAfterItsTime) {
  PutSession("a", In(seconds(10)));
  EXPECT_EQ(ExpireNow(), 0u);
  clock().Advance(seconds(10));
  EXPECT_FALSE(IsHidden("a"));
  EXPECT_EQ(ExpireNow(), 0u);
  clock().Advance(seconds(1));
  EXPECT_TRUE(IsHidden("a"));
  EXPECT_EQ(ExpireNow(), 1u);
  EXPECT_FALSE(IsStored("a"));
  EXPECT_EQ(ExpireNow(), 0u);
}

TEST_F(ExpireNowTest, KeepsItemsThatExpiredMoreThanFiveYearsAgo) {
  PutSession("a", In(seconds(0)));
  clock().Advance(kFiveYears);
  EXPECT_TRUE(IsHidden("a"));
  clock().Advance(seconds(1));
  EXPECT_FALSE(IsHidden("a"));
  EXPECT_EQ(ExpireNow(), 0u);
  PutSession("b", In(seconds(-1)));  // ExpireNow finds "b" behind the older "a"
  EXPECT_EQ(ExpireNow(), 1u);
  EXPECT_THAT(StoredKeys(), ElementsAre("a"));
}

// Rule 11.3.
TEST_F(ExpireNowTest, LetsExpiredItemsBeReadUntilTheyAreDeleted) {
  PutSession("a", In(seconds(-1)));
  PutSession("b", In(seconds(60)));
  EXPECT_TRUE(table().GetItem({.key = Key("a")})->item);
  EXPECT_EQ(table().Scan({})->count(), 2u);
  EXPECT_EQ(table().Query({.partition = "p", .select = Select::kCount})->count(), 2u);
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

// Rule 11.3.
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

// Rule 11.3: any write that changes the time renews the item before it is deleted.
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

TEST_F(ExpireNowTest, UsesTheExpiryTimeOfTheLastWrite) {
  PutSession("longer", In(seconds(10)));
  PutSession("shorter", In(seconds(1000)));
  PutSession("begins", "never");
  PutSession("longer", In(seconds(20)));
  PutSession("shorter", In(seconds(5)));
  PutSession("begins", In(seconds(8)));
  const std::vector<std::pair<int, std::string>> ends = {
      {6, "shorter"}, {9, "begins"}, {21, "longer"}};
  int now = 0;
  for (const auto& [second, sort] : ends) {
    clock().Advance(seconds(second - now - 1));
    EXPECT_EQ(ExpireNow(), 0u) << sort;
    clock().Advance(seconds(1));
    EXPECT_EQ(ExpireNow(), 1u);
    EXPECT_FALSE(IsStored(sort));
    now = second;
  }
}

TEST_F(ExpireNowTest, IgnoresTheExpiryTimeOfADeletedItem) {
  PutSession("gone", In(seconds(-1)));
  PutSession("back", In(seconds(-1)));
  EXPECT_THAT(table().DeleteItem({.key = Key("gone")}), IsOk());
  EXPECT_THAT(table().DeleteItem({.key = Key("back")}), IsOk());
  PutSession("back", In(seconds(60)));
  EXPECT_EQ(ExpireNow(), 0u);
  EXPECT_THAT(StoredKeys(), ElementsAre("back"));
}

// Rule 11.4.
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

// ExpireNow deletes in batches.  The test has more items than one batch.
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

// Rule 11.4: the record's userIdentity names the service.
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

// Rule 11.4: a caller may delete an expired item.  The record does not name the service then.
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

// An item that was expired while the clock was ahead is not expired after the clock is set back.
TEST_F(ExpireNowTest, FollowsAClockThatIsSetBack) {
  PutSession("a", In(seconds(10)));
  clock().Advance(seconds(20));
  EXPECT_TRUE(IsHidden("a"));
  clock().Advance(-seconds(15));
  EXPECT_FALSE(IsHidden("a"));
  EXPECT_EQ(ExpireNow(), 0u);
  EXPECT_THAT(StoredKeys(), ElementsAre("a"));
  PutSession("b", In(seconds(-1)));  // expired by the present clock
  PutSession("c", In(seconds(7)));   // expired only by the clock that was ahead
  EXPECT_EQ(ExpireNow(), 1u);
  EXPECT_THAT(StoredKeys(), ElementsAre("a", "c"));
  clock().Advance(-hours(24) * 365 * 70);  // before 1970
  EXPECT_EQ(ExpireNow(), 0u);
  EXPECT_THAT(StoredKeys(), ElementsAre("a", "c"));
  clock().Advance(hours(24) * 365 * 70 + seconds(8));
  EXPECT_EQ(ExpireNow(), 2u);
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
    const auto page = made->Query({.index = index, .partition = partition, .hide_expired = hide});
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

// A background thread deletes expired items (OpenOptions::expiry_lag).  The database's clock
// decides which items have expired.  The machine's clock decides when the thread runs.
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
