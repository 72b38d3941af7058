// Tests of the capacity that operations on items consume (ReturnConsumedCapacity).
// index_capacity_rules_test.cc tests the capacity that indexes consume.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html

#include <optional>
#include <string>

#include "tests/behaviour/consumed_capacity.h"

namespace dolmen::behaviour {
namespace {

using ConsumedCapacityRulesTest = ConsumedCapacityTest;

// A consistent read consumes one unit for each 4 KB of the whole item, rounded up. An eventually
// consistent read consumes half of that.
TEST_F(ConsumedCapacityRulesTest, GetItemConsumesOneUnitFor4KilobytesOfTheWholeItem) {
  struct Row {
    std::size_t bytes;  // 0: the item does not exist
    double units;
  };
  for (const auto& [bytes, units] : {Row{0, 1}, Row{100, 1}, Row{4096, 1}, Row{4097, 2},
                                     Row{8192, 2}, Row{8193, 3}, Row{kItemBytesMax, 100}}) {
    SCOPED_TRACE(bytes);
    Prepare(bytes);
    const auto get = [&](bool consistent, const ProjectionExpression& projection) {
      return Of(table().GetItem({.key = Key(),
                                 .projection = projection,
                                 .consistent_read = consistent,
                                 .options = {.return_consumed_capacity = kTotal}}));
    };
    EXPECT_EQ(get(true, {}), Total(Read(units)));
    EXPECT_EQ(get(false, {}), Total(Read(units / 2)));
    EXPECT_EQ(get(true, "SK"), Total(Read(units)));
  }
}

// A write consumes one unit for each 1 KB, rounded up.
TEST_F(ConsumedCapacityRulesTest, AWriteConsumesUnitsForTheLargerOfTheOldAndTheNewItem) {
  struct Row {
    std::size_t before;  // 0: the item does not exist
    std::size_t after;
    double units;
  };
  for (const auto& [before, after, units] :
       {Row{0, 100, 1}, Row{0, 1024, 1}, Row{0, 1025, 2}, Row{100, 100, 1}, Row{100, 5000, 5},
        Row{5000, 100, 5}, Row{3000, 3000, 3}, Row{0, 409'000, 400}}) {
    SCOPED_TRACE(std::to_string(before) + " to " + std::to_string(after));
    Prepare(before);
    EXPECT_EQ(Of(table().PutItem(
                  {.item = Sized(after), .options = {.return_consumed_capacity = kTotal}})),
              Total(Write(units)));
    Prepare(before);
    EXPECT_EQ(Of(table().UpdateItem({.key = Key(),
                                     .update = "SET x = :x",
                                     .values = {{":x", Sized(after).at("x")}},
                                     .options = {.return_consumed_capacity = kTotal}})),
              Total(Write(units)));
  }
}

// An update that leaves the item as it was consumes write units for the item's size.
TEST_F(ConsumedCapacityRulesTest, AnUpdateThatChangesNothingConsumesUnitsForTheItem) {
  const auto update = [&](const UpdateExpression& expression) {
    return Of(table().UpdateItem(
        {.key = Key(), .update = expression, .options = {.return_consumed_capacity = kTotal}}));
  };
  EXPECT_EQ(update("REMOVE nothere"), Total(Write(1)));  // creates no item
  EXPECT_EQ(update({}), Total(Write(1)));                // creates the item
  Put(Sized(5000));
  EXPECT_EQ(update({}), Total(Write(5)));
  EXPECT_EQ(update("SET x = x"), Total(Write(5)));
  EXPECT_EQ(update("REMOVE nothere"), Total(Write(5)));
  EXPECT_EQ(update("REMOVE x"), Total(Write(5)));
  EXPECT_EQ(update("REMOVE x"), Total(Write(1)));  // it is small now
}

TEST_F(ConsumedCapacityRulesTest, ADeletionConsumesUnitsForTheOldItem) {
  struct Row {
    std::size_t bytes;  // 0: the item does not exist
    double units;
  };
  for (const auto& [bytes, units] : {Row{0, 1}, Row{100, 1}, Row{1024, 1}, Row{1025, 2},
                                     Row{5000, 5}, Row{kItemBytesMax, 400}}) {
    SCOPED_TRACE(bytes);
    Prepare(bytes);
    EXPECT_EQ(
        Of(table().DeleteItem({.key = Key(), .options = {.return_consumed_capacity = kTotal}})),
        Total(Write(units)));
  }
}

// The sizes of the items of a page are added, and the sum is rounded up.
TEST_F(ConsumedCapacityRulesTest, APageConsumesUnitsForAllItemsThatItEvaluates) {
  for (const std::string sort : {"a", "b", "c"}) Put(Sized(1500, sort));
  Put(Sized(4096, "d"));
  const auto query = [&](QueryInput input) {
    if (input.key_condition.index() == 0) input.key_condition = Partition("p");
    input.options.return_consumed_capacity = kTotal;
    return Of(table().Query(input));
  };
  EXPECT_EQ(query({}), Total(Read(1.5)));  // 8,596 bytes
  EXPECT_EQ(query({.consistent_read = true}), Total(Read(3)));
  EXPECT_EQ(query({.key_condition = Partition("p", Less("d")), .consistent_read = true}),
            Total(Read(2)));
  EXPECT_EQ(query({.key_condition = Partition("p", Less("c")), .consistent_read = true}),
            Total(Read(1)));
  EXPECT_EQ(query({.limit = 2, .consistent_read = true}), Total(Read(1)));
  EXPECT_EQ(query({.key_condition = Partition("p", Equal("nothere")), .consistent_read = true}),
            Total(Read(1)));
  EXPECT_EQ(query({.key_condition = Partition("p", Equal("nothere"))}), Total(Read(0.5)));
  // A request with a filter, a projection or kCount returns less but evaluates the same items.
  EXPECT_EQ(query({.filter = "attribute_exists(nothere)", .consistent_read = true}),
            Total(Read(3)));
  EXPECT_EQ(query({.projection = "SK", .consistent_read = true}), Total(Read(3)));
  EXPECT_EQ(query({.select = Select::kCount, .consistent_read = true}), Total(Read(3)));
}

// The units of each page are rounded up separately.
TEST_F(ConsumedCapacityRulesTest, AScanConsumesAsMuchAsAQuery) {
  const auto scan = [&](ScanInput input) {
    input.options.return_consumed_capacity = kTotal;
    return Of(table().Scan(input));
  };
  EXPECT_EQ(scan({}), Total(Read(0.5)));
  EXPECT_EQ(scan({.consistent_read = true}), Total(Read(1)));
  for (const std::string sort : {"a", "b", "c"}) Put(Sized(1500, sort));
  EXPECT_EQ(scan({}), Total(Read(1)));
  EXPECT_EQ(scan({.consistent_read = true}), Total(Read(2)));
  EXPECT_EQ(scan({.filter = "attribute_exists(nothere)", .consistent_read = true}), Total(Read(2)));
  EXPECT_EQ(scan({.limit = 1}), Total(Read(0.5)));
  EXPECT_EQ(scan({.limit = 2, .exclusive_start_key = Key("a")}), Total(Read(0.5)));
  EXPECT_EQ(scan({.exclusive_start_key = Key("c")}), Total(Read(0.5)));
}

TEST_F(ConsumedCapacityRulesTest, AResponseHasTheCapacityDetailsThatTheRequestAsksFor) {
  const auto put = [&](ReturnConsumedCapacity which) {
    const Item item = With({{"k", UniqueKey()}});
    return Of(table().PutItem({.item = item, .options = {.return_consumed_capacity = which}}));
  };
  EXPECT_EQ(put(kIndexes), Indexes(Write(1), {{"Keys", Write(1)}}));
  EXPECT_EQ(put(kTotal), Total(Write(1 + 2)));
  EXPECT_EQ(put(ReturnConsumedCapacity::kNone), std::nullopt);
  EXPECT_EQ(Of(table().GetItem({.key = Key(), .options = {.return_consumed_capacity = kIndexes}})),
            Indexes(Read(0.5)));
  EXPECT_EQ(Of(table().GetItem({.key = Key()})), std::nullopt);
  EXPECT_EQ(Of(table().Query({.key_condition = Partition("p"),
                              .options = {.return_consumed_capacity = kIndexes}})),
            Indexes(Read(0.5)));
  EXPECT_EQ(Of(table().Query({.key_condition = Partition("p")})), std::nullopt);
  EXPECT_EQ(Of(table().Scan({})), std::nullopt);
}

class ManyItemsCapacityRulesTest : public ConsumedCapacityTest {
 protected:
  void SetUp() override {
    ConsumedCapacityTest::SetUp();
    auto made = database().CreateTable({.name = UniqueKey()});
    ASSERT_THAT(made, IsOk());
    other_ = *std::move(made);
  }
  const Table& other() const { return *other_; }
  ConsumedCapacity TotalOfOther(const Capacity& capacity) const {
    return {.table_name = other().name(), .total = capacity};
  }

  // Stores items of 1500 and 5000 bytes in table() and an item of 100 bytes in other().
  void PutItems() const {
    Put(Sized(1500, "a"));
    Put(Sized(5000, "b"));
    ASSERT_THAT(other().PutItem({.item = Sized(100)}), IsOk());
  }

 private:
  std::optional<Table> other_;
};

// The units of each item are rounded up separately. An absent item consumes as much as the smallest
// item. The response has one ConsumedCapacity for each table.
TEST_F(ManyItemsCapacityRulesTest, BatchGetItemConsumesUnitsForEachKey) {
  PutItems();
  const auto got = database().BatchGetItem(
      {.requests = {{.table = table(),
                     .keys = {Key("a"), Key("b"), Key("absent")},
                     .consistent_read = true},
                    {.table = other(), .keys = {Key("a"), Key("absent")}, .projection = "SK"}},
       .options = {.return_consumed_capacity = kTotal}});
  ASSERT_THAT(got, IsOk());
  EXPECT_THAT(got->consumed_capacity,
              ElementsAre(Total(Read(1 + 2 + 1)), TotalOfOther(Read(0.5 + 0.5))));
  EXPECT_EQ(OfOne(database().BatchGetItem({.requests = {{.table = table(), .keys = {Key("b")}}},
                                           .options = {.return_consumed_capacity = kIndexes}})),
            Indexes(Read(1)));
}

TEST_F(ManyItemsCapacityRulesTest, BatchWriteItemConsumesAsMuchAsSingleWrites) {
  PutItems();
  const auto written = database().BatchWriteItem(
      {.requests = {{table(),
                     {PutRequest{Sized(100, "a")}, DeleteRequest{Key("b")},
                      DeleteRequest{Key("absent")}, PutRequest{With({{"k", "1"}}, "c")}}},
                    {other(), {PutRequest{Sized(2000)}}}},
       .options = {.return_consumed_capacity = kIndexes}});
  ASSERT_THAT(written, IsOk());
  ASSERT_EQ(written->consumed_capacity.size(), 2u);
  EXPECT_EQ(written->consumed_capacity[0], Indexes(Write(2 + 5 + 1 + 1), {{"Keys", Write(1)}}));
  EXPECT_EQ(written->consumed_capacity[1].table, Write(2));
}

// A transaction consumes twice as much as single writes. A condition check counts as a write of the
// item that it checks. A transaction's writes of index entries consume twice as much, too.
// The units of condition checks and of indexes are unverified.
TEST_F(ManyItemsCapacityRulesTest, TransactWriteItemsConsumesTwiceAsMuchAsSingleWrites) {
  PutItems();
  const auto written = database().TransactWriteItems(
      {.actions =
           {{table(), PutItemInput{.item = Sized(100, "a")}},
            {table(), ConditionCheckInput{.key = Key("b"), .condition = "attribute_exists(PK)"}},
            {other(), DeleteItemInput{.key = Key()}},
            {table(),
             ConditionCheckInput{.key = Key("absent"), .condition = "attribute_not_exists(PK)"}},
            {table(),
             UpdateItemInput{.key = Key("c"), .update = "SET k = :k", .values = {{":k", "1"}}}}},
       .options = {.return_consumed_capacity = kIndexes}});
  ASSERT_THAT(written, IsOk());
  ASSERT_EQ(written->consumed_capacity.size(), 2u);
  EXPECT_EQ(written->consumed_capacity[0],
            Indexes(Write(2 * (2 + 5 + 1 + 1)), {{"Keys", Write(2)}}));
  EXPECT_EQ(written->consumed_capacity[1].total, Write(2));
}

// A transaction that is repeated with its ClientRequestToken writes nothing. It consumes read
// units, not write units, for its items in each table.
TEST_F(ManyItemsCapacityRulesTest, ARepeatedTransactionConsumesReadUnits) {
  const auto write = [&] {
    return database().TransactWriteItems(
        {.actions = {{table(), PutItemInput{.item = Sized(5000)}},
                     {table(), DeleteItemInput{.key = Key("absent")}},
                     {other(), PutItemInput{.item = Sized(100)}}},
         .client_request_token = table().name(),
         .options = {.return_consumed_capacity = kTotal}});
  };
  EXPECT_THAT(write()->consumed_capacity,
              ElementsAre(Total(Write(2 * (5 + 1))), TotalOfOther(Write(2))));
  EXPECT_THAT(write()->consumed_capacity,
              ElementsAre(Total(Read(2 * (2 + 1))), TotalOfOther(Read(2))));
}

TEST_F(ManyItemsCapacityRulesTest, TransactGetItemsConsumesTwiceAsMuchAsConsistentReads) {
  PutItems();
  const auto got = database().TransactGetItems(
      {.items = {{.table = table(), .key = Key("a")},
                 {.table = other(), .key = Key()},
                 {.table = table(), .key = Key("b"), .projection = "SK"},
                 {.table = table(), .key = Key("absent")}},
       .options = {.return_consumed_capacity = kTotal}});
  ASSERT_THAT(got, IsOk());
  EXPECT_THAT(got->consumed_capacity,
              ElementsAre(Total(Read(2 * (1 + 2 + 1))), TotalOfOther(Read(2))));
  EXPECT_EQ(OfOne(database().TransactGetItems({.items = {{.table = table(), .key = Key("b")}},
                                               .options = {.return_consumed_capacity = kIndexes}})),
            Indexes(Read(4)));
}

}  // namespace
}  // namespace dolmen::behaviour
