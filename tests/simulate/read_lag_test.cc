// Eventually consistent reads that lag by a time on the database's clock.

#include <chrono>

#include "tests/simulate/fixture.h"

namespace dolmen::simulate {
namespace {

class ReadLagTest : public SimulateTest {
 protected:
  ReadLagTest() { Simulate(SimulateOptions{.read_lag = std::chrono::seconds(2)}); }

  bool Sees(std::string_view sk, bool consistent = false) const {
    const auto got = table_.GetItem({.key = KeyOf("p", sk), .consistent_read = consistent});
    EXPECT_THAT(got, IsOk());
    return got.ok() && got->item.has_value();
  }
};

TEST_F(ReadLagTest, AReadSeesAWriteWhenTheLagHasPassed) {
  ASSERT_THAT(Put("p", "9"), IsOk());
  EXPECT_FALSE(Sees("9"));
  EXPECT_TRUE(Sees("9", true));
  EXPECT_TRUE(Sees("1"));
  clock_->Advance(std::chrono::milliseconds(1'999));
  EXPECT_FALSE(Sees("9"));
  clock_->Advance(std::chrono::milliseconds(1));
  EXPECT_TRUE(Sees("9"));
}

TEST_F(ReadLagTest, QueriesScansAndBatchesLagUnlessTheyAreConsistent) {
  ASSERT_THAT(Put("p", "9"), IsOk());
  const auto query = [this](bool consistent) {
    return test::Value(
               table_.Query({.key_condition = Partition("p"), .consistent_read = consistent}))
        .size();
  };
  const auto scan = [this](bool consistent) {
    return test::Value(table_.Scan({.consistent_read = consistent})).size();
  };
  const auto batch = [this](bool consistent) {
    const BatchGetItemInput read{.requests = {{.table = table_,
                                               .keys = {KeyOf("p", "1"), KeyOf("p", "9")},
                                               .consistent_read = consistent}}};
    return test::Value(db_.BatchGetItem(read)).responses[0].size();
  };
  EXPECT_EQ(query(false), 4U);
  EXPECT_EQ(query(true), 5U);
  EXPECT_EQ(scan(false), 4U);
  EXPECT_EQ(scan(true), 5U);
  EXPECT_EQ(batch(false), 1U);
  EXPECT_EQ(batch(true), 2U);
}

TEST_F(ReadLagTest, ConditionsAndTransactionsDoNotLag) {
  ASSERT_THAT(Put("p", "9"), IsOk());
  EXPECT_THAT(table_.PutItem({.item = KeyOf("p", "9"), .condition = "attribute_not_exists(PK)"}),
              StatusIs(StatusCode::kConditionalCheckFailed, _));
  const auto got = db_.TransactGetItems({.items = {{.table = table_, .key = KeyOf("p", "9")}}});
  EXPECT_TRUE(test::Value(got).items[0].has_value());
}

TEST_F(ReadLagTest, AnIndexLags) {
  const Table table = test::Value(db_.CreateTable(
      {.name = "indexed", .global_secondary_indexes = {GlobalSecondaryIndex::Overloaded("GSI1")}}));
  const auto count = [&table] {
    return test::Value(table.Query({.index = "GSI1", .key_condition = Partition("g")})).size();
  };
  const auto put = [&table](const char* sk) {
    Item item = KeyOf("a", sk);
    item["GSI1PK"] = "g";
    item["GSI1SK"] = sk;
    EXPECT_THAT(table.PutItem({.item = item}), IsOk());
  };
  put("1");
  EXPECT_EQ(count(), 1U);  // the table is newer than the fork
  clock_->Advance(std::chrono::seconds(2));
  EXPECT_EQ(count(), 1U);
  put("2");
  EXPECT_EQ(count(), 1U);
  clock_->Advance(std::chrono::seconds(2));
  EXPECT_EQ(count(), 2U);
}

TEST_F(ReadLagTest, ADeletedTableIsNotFound) {
  ASSERT_THAT(db_.DeleteTable("app"), IsOk());
  EXPECT_THAT(Get("p", "1"), StatusIs(StatusCode::kResourceNotFound, _));
  const Table fresh = test::Value(db_.CreateTable({.name = "app"}));
  EXPECT_EQ(test::Value(fresh.Scan({})).size(), 0U);
}

}  // namespace
}  // namespace dolmen::simulate
