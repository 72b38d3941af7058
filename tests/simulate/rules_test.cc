// The filters and limits of rules, and the fault of each kind on single items and pages.

#include <chrono>
#include <cstdint>

#include "tests/simulate/fixture.h"

namespace dolmen::simulate {
namespace {

class RuleTest : public SimulateTest {};

TEST_F(RuleTest, ADatabaseWithoutTheOptionHasNoSimulation) {
  const Database plain = test::Value(Database::InMemory());
  EXPECT_THAT(Simulation::Of(plain), StatusIs(StatusCode::kValidation, _));
}

TEST_F(RuleTest, AChanceAboveOneAndAnAmountOfZeroAreRejected) {
  EXPECT_THAT(simulation_.Restart({.rules = {{.chance = 1.5}}}),
              StatusIs(StatusCode::kValidation, _));
  const SimulateRule empty_page{.fault = Fault::kPageItems, .amount_min = 0};
  EXPECT_THAT(simulation_.Restart({.rules = {empty_page}}), StatusIs(StatusCode::kValidation, _));
  EXPECT_THAT(Database::InMemory({.simulate = dolmen::Simulate({.rules = {{.chance = -1}}})}),
              StatusIs(StatusCode::kValidation, _));
}

TEST_F(RuleTest, AnErrorBeforeAWriteLeavesTheItemUnwritten) {
  const std::vector<std::pair<Fault, StatusCode>> errors = {
      {Fault::kProvisionedThroughputExceeded, StatusCode::kProvisionedThroughputExceeded},
      {Fault::kThrottling, StatusCode::kThrottling},
      {Fault::kRequestLimitExceeded, StatusCode::kRequestLimitExceeded},
      {Fault::kTransactionConflict, StatusCode::kTransactionConflict},
      {Fault::kInternalServerError, StatusCode::kInternalServerError},
      {Fault::kServiceUnavailable, StatusCode::kServiceUnavailable}};
  for (const auto& [fault, code] : errors) {
    Simulate({{.fault = fault}});
    EXPECT_THAT(Put("new", "1"), StatusIs(code, _));
    EXPECT_THAT(table_.DeleteItem({.key = KeyOf("p", "1")}), StatusIs(code, _));
    EXPECT_THAT(table_.UpdateItem(
                    {.key = KeyOf("new", "1"), .update = "SET a = :a", .values = {{":a", 1}}}),
                StatusIs(code, _));
    EXPECT_FALSE(Exists("new", "1"));
    EXPECT_TRUE(Exists("p", "1"));
  }
}

TEST_F(RuleTest, AServerErrorAfterAWriteLeavesTheItemWritten) {
  for (const Fault fault : {Fault::kInternalServerError, Fault::kServiceUnavailable}) {
    const std::string pk(SimulatedFaultName(fault));
    Simulate({{.fault = fault, .moment = FaultMoment::kAfter}});
    EXPECT_FALSE(Put(pk, "1").ok());
    EXPECT_TRUE(Exists(pk, "1"));
  }
}

TEST_F(RuleTest, AFalseConditionIsReportedInPlaceOfALaterServerError) {
  Simulate({{.fault = Fault::kInternalServerError, .moment = FaultMoment::kAfter}});
  EXPECT_THAT(table_.PutItem({.item = KeyOf("p", "1"), .condition = "attribute_not_exists(PK)"}),
              StatusIs(StatusCode::kConditionalCheckFailed, _));
}

TEST_F(RuleTest, AFailedReadReturnsNothing) {
  GetItemOutput item;
  QueryOutput page;
  ASSERT_THAT(table_.GetItem({.key = KeyOf("p", "1")}, &item), IsOk());
  ASSERT_THAT(table_.Query({.key_condition = Partition("p")}, &page), IsOk());
  Simulate({{.fault = Fault::kInternalServerError, .moment = FaultMoment::kAfter}});
  EXPECT_FALSE(table_.GetItem({.key = KeyOf("p", "1")}, &item).ok());
  EXPECT_FALSE(table_.Query({.key_condition = Partition("p")}, &page).ok());
  EXPECT_FALSE(item.item.has_value());
  EXPECT_TRUE(page.empty());
}

TEST_F(RuleTest, AThrottledCallHasTheReasonOfItsError) {
  Simulate({{.fault = Fault::kProvisionedThroughputExceeded}});
  EXPECT_THAT(Put("p", "1").throttling_reasons(),
              ElementsAre(ThrottlingReason{"TableWriteProvisionedThroughputExceeded", "app"}));
  Simulate({{.fault = Fault::kThrottling}});
  EXPECT_THAT(Get("p", "1").throttling_reasons(),
              ElementsAre(ThrottlingReason{"TableReadKeyRangeThroughputExceeded", "app"}));
  Simulate({{.fault = Fault::kRequestLimitExceeded}});
  EXPECT_THAT(table_.Scan({}).status().throttling_reasons(),
              ElementsAre(ThrottlingReason{"TableReadAccountLimitExceeded", "app"}));
  Simulate({{.fault = Fault::kInternalServerError}});
  EXPECT_THAT(Get("p", "1").throttling_reasons(), IsEmpty());
}

TEST_F(RuleTest, FiltersChooseTheCalls) {
  const Table other = test::Value(db_.OpenTable("other"));
  Simulate({{.table = "app", .operation = Operation::kPutItem, .key_prefix = "USER#"}});
  EXPECT_THAT(Put("USER#1", "1"), StatusIs(StatusCode::kThrottling, _));
  EXPECT_THAT(Get("USER#1", "1"), IsOk());
  EXPECT_THAT(Put("ORDER#1", "1"), IsOk());
  EXPECT_THAT(other.PutItem({.item = KeyOf("USER#1", "1")}), IsOk());
}

TEST_F(RuleTest, TheKeyOfAQueryIsFoundInEveryFormOfTheCondition) {
  Simulate({{.operation = Operation::kQuery, .key_prefix = "p"}});
  EXPECT_FALSE(table_.Query({.key_condition = Partition("p")}).ok());
  EXPECT_FALSE(table_.Query({.key_condition = Partitions({"p", "q"})}).ok());
  EXPECT_FALSE(table_.Query({.key_condition = Key("PK") == "p"}).ok());
  EXPECT_FALSE(table_
                   .Query({.key_condition = "SK > :sk AND #pk = :pk",
                           .names = {{"#pk", "PK"}},
                           .values = {{":pk", "p"}, {":sk", "1"}}})
                   .ok());
  EXPECT_THAT(table_.Query({.key_condition = Partition("q")}), IsOk());
  EXPECT_THAT(table_.Query({.key_condition = Key("PK") == "q"}), IsOk());
}

TEST_F(RuleTest, ARuleAffectsOnlyTheCallsOfItsRange) {
  Simulate({{.skip_calls = 1, .calls_max = 2}});
  EXPECT_THAT(Get("p", "1"), IsOk());
  EXPECT_THAT(Get("q", "1"), StatusIs(StatusCode::kThrottling, _));
  EXPECT_THAT(Get("p", "1"), StatusIs(StatusCode::kThrottling, _));
  EXPECT_THAT(Get("p", "1"), IsOk());
}

TEST_F(RuleTest, AChanceOfATenthAffectsAboutATenthOfTheCalls) {
  Simulate({{.chance = 0.1}});
  int failed = 0;
  for (int i = 0; i < 2'000; ++i) failed += Get("p", "1").ok() ? 0 : 1;
  EXPECT_GT(failed, 140);
  EXPECT_LT(failed, 260);
}

TEST_F(RuleTest, LatencyAdvancesAManualClock) {
  const Timestamp start = clock_->Now();
  Simulate({{.fault = Fault::kLatency, .amount_min = 100, .amount_max = 200}});
  EXPECT_THAT(Get("p", "1"), IsOk());
  EXPECT_GE(clock_->Now() - start, std::chrono::milliseconds(100));
  EXPECT_LE(clock_->Now() - start, std::chrono::milliseconds(200));
}

TEST_F(RuleTest, AHandlerReceivesTheLatency) {
  const Timestamp start = clock_->Now();
  std::uint64_t total = 0;
  Simulate(SimulateOptions{
      .rules = {{.fault = Fault::kLatency, .amount_min = 70}, {.fault = Fault::kThrottling}},
      .on_latency = [&total](std::uint64_t milliseconds) { total += milliseconds; }});
  EXPECT_THAT(Get("p", "1"), StatusIs(StatusCode::kThrottling, _));
  EXPECT_EQ(total, 70U);
  EXPECT_EQ(clock_->Now(), start);
}

TEST_F(RuleTest, PagesEndAfterANumberOfItems) {
  Simulate({{.fault = Fault::kPageItems, .amount_min = 2}});
  const auto page = table_.Query({.key_condition = Partition("p"), .limit = 3});
  ASSERT_THAT(page, IsOk());
  EXPECT_EQ(page->size(), 2U);
  EXPECT_EQ(page->last_evaluated_key(), KeyOf("p", "2"));
  EXPECT_EQ(test::Value(table_.Query({.key_condition = Partition("p"), .limit = 1})).size(), 1U);
  EXPECT_EQ(test::Value(table_.Scan({})).size(), 2U);
}

TEST_F(RuleTest, PagesEndWithTheItemThatReachesANumberOfBytes) {
  const QueryOutput first = test::Value(table_.Scan({.limit = 1}));
  const std::size_t item = first[0].bytes().size();
  for (const std::size_t items : {1U, 2U, 3U}) {
    Simulate({{.fault = Fault::kPageBytes, .amount_min = item * items - 1}});
    const auto page = table_.Query({.key_condition = Partition("p")});
    ASSERT_THAT(page, IsOk());
    EXPECT_EQ(page->size(), items);
    EXPECT_FALSE(page->last_evaluated_key().empty());
  }
}

TEST_F(RuleTest, ALoopOverShortPagesReadsEveryItem) {
  Simulate({{.fault = Fault::kPageItems}});
  ItemRange items = table_.QueryAll({.key_condition = Partition("p")});
  int count = 0;
  for ([[maybe_unused]] const ItemView item : items) ++count;
  EXPECT_THAT(items.status(), IsOk());
  EXPECT_EQ(count, 4);
}

TEST_F(RuleTest, OptionsReturnsTheOptionsOfTheLastRestart) {
  Simulate(SimulateOptions{.seed = 7, .rules = {{.table = "app"}}});
  EXPECT_EQ(simulation_.Options().seed, 7U);
  EXPECT_EQ(simulation_.Options().rules.at(0).table, "app");
}

TEST_F(RuleTest, AForkCountsItsCallsFromTheStart) {
  Simulate({{.calls_max = 1}});
  EXPECT_FALSE(Get("p", "1").ok());
  EXPECT_THAT(Get("p", "1"), IsOk());
  const Database fork = test::Value(db_.Fork());
  const Table table = test::Value(fork.OpenTable("app"));
  EXPECT_FALSE(table.GetItem({.key = KeyOf("p", "1")}).ok());
  EXPECT_THAT(table.GetItem({.key = KeyOf("p", "1")}), IsOk());
  EXPECT_EQ(test::Value(Simulation::Of(fork)).Trace(), simulation_.Trace());
}

TEST_F(RuleTest, AResetDatabaseKeepsItsSimulation) {
  Database fork = test::Value(db_.Fork());
  ASSERT_THAT(test::Value(Simulation::Of(fork)).Restart({.rules = {{.calls_max = 1}}}), IsOk());
  ASSERT_THAT(fork.Reset(), IsOk());
  const Table table = test::Value(fork.OpenTable("app"));
  EXPECT_FALSE(table.GetItem({.key = KeyOf("p", "1")}).ok());
}

}  // namespace
}  // namespace dolmen::simulate
