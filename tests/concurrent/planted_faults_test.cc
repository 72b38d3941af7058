// Tests of the checker that isolation_test.cc uses. In each test, a client executes an operation in
// several separate steps, as a database without isolation might. The client records the steps as
// one operation. The checker must report a violation.

#include <gtest/gtest.h>

#include <optional>
#include <utility>
#include <vector>

#include "dolmen/dolmen.h"
#include "dolmen/testing/simulate.h"
#include "tests/concurrent/recorded_client.h"
#include "tests/concurrent/serializability.h"
#include "tests/concurrent/tracked_items.h"
#include "tests/support/status_matchers.h"
#include "tests/support/value.h"

namespace dolmen::test {
namespace {

constexpr std::size_t kLeft = 0;  // in the first table
constexpr std::size_t kRight = 1;
constexpr std::size_t kUnborn = 2;  // absent at first

class IsolationCheckTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_THAT(database_, IsOk());
    ASSERT_THAT(items_, IsOk());
    ASSERT_FALSE(items_->items()[kLeft].starts_absent);
    ASSERT_FALSE(items_->items()[kRight].starts_absent);
    ASSERT_TRUE(items_->items()[kUnborn].starts_absent);
  }

  Change Append(std::size_t item, std::optional<Seen> expected = std::nullopt) {
    return {.item = item, .expected = std::move(expected), .appended = {honest_.NewMark()}};
  }

  // Record one operation. A test calls Begin() before the operation and End() after it. SayRead,
  // SayWrote and SayFailed add results to the record. The recorded results may differ from what
  // really happened in the database.
  void Begin(const std::string& name) { lie_ = recorder_.Begin(1, name); }
  void SayRead(const std::vector<ItemRead>& reads) {
    lie_.reads.insert(lie_.reads.end(), reads.begin(), reads.end());
  }
  void SayWrote(const Change& change) { lie_.writes.push_back({change.item, change.appended}); }
  void SayFailed() { lie_.committed = false; }
  void End() { recorder_.End(std::move(lie_)); }

  std::optional<Violation> Check() {
    honest_.Scan(0);
    honest_.Scan(1);
    return CheckSerializability(recorder_.Take());
  }

  void ExpectFound(Anomaly anomaly) {
    const auto violation = Check();
    ASSERT_TRUE(violation.has_value());
    EXPECT_EQ(violation->anomaly, anomaly) << violation->text;
  }

  void Restart(std::vector<SimulateRule> rules) {
    EXPECT_THAT(Value(Simulation::Of(*database_)).Restart({.rules = std::move(rules)}), IsOk());
  }
  // Appends a mark to an item. The database answers with an unclear error.
  Change AppendUnclearly(RecordedClient* client, std::size_t item, FaultMoment moment) {
    Restart({{.fault = SimulatedFault::kInternalServerError, .moment = moment}});
    Change change = Append(item);
    client->WriteOne(change);
    Restart({});
    return change;
  }

  Result<Database> database_ = Database::InMemory({.simulate = Simulate({})});
  Result<TrackedItems> items_ = TrackedItems::Create(*database_, "items");
  Recorder recorder_{items_->items(), 2};
  Recorder unheard_{items_->items(), 2};
  RecordedClient honest_{*database_, *items_, &recorder_, {.thread = 0, .faults = true}};
  RecordedClient liar_{
      *database_, *items_, &unheard_, {.thread = 1, .faults = true}};  // calls not recorded

 private:
  Operation lie_;
};

TEST_F(IsolationCheckTest, AcceptsAnHonestHistory) {
  honest_.TransactWriteItems({Append(kLeft), Append(kRight)});
  honest_.TransactGetItems({kLeft, kRight});
  honest_.WriteOne(Append(kLeft, Seen(MarkCount{1})), ReturnValues::kAllNew);
  honest_.WriteOne(Append(kLeft, Seen(MarkCount{1})));  // fails
  honest_.WriteOne(Append(kUnborn), ReturnValues::kAllOld);
  honest_.WriteOne({.kind = Change::Kind::kDelete, .item = kRight});
  honest_.TransactWriteItems({Append(kLeft), Append(kRight)});  // fails
  honest_.ScanIndex();
  const auto violation = Check();
  EXPECT_FALSE(violation.has_value()) << violation->text;
}

TEST_F(IsolationCheckTest, AcceptsBothOutcomesOfAnUnclearWrite) {
  AppendUnclearly(&honest_, kLeft, FaultMoment::kBefore);
  AppendUnclearly(&honest_, kRight, FaultMoment::kAfter);
  const auto violation = Check();
  EXPECT_FALSE(violation.has_value()) << violation->text;
}

TEST_F(IsolationCheckTest, DetectsAnAcknowledgedWriteThatTheSimulationDropped) {
  Begin("UpdateItem");
  SayWrote(AppendUnclearly(&liar_, kLeft, FaultMoment::kBefore));
  End();
  ExpectFound(Anomaly::kLostWrite);
}

TEST_F(IsolationCheckTest, DetectsARefusedWriteThatTookEffect) {
  Begin("UpdateItem");
  SayWrote(AppendUnclearly(&liar_, kLeft, FaultMoment::kAfter));
  SayFailed();
  End();
  ExpectFound(Anomaly::kAbortedRead);
}

TEST_F(IsolationCheckTest, DetectsATransactionThatWasTwoWrites) {
  const Change left = Append(kLeft);
  const Change right = Append(kRight);
  Begin("TransactWriteItems");
  liar_.WriteOne(left);
  honest_.TransactGetItems({kLeft, kRight});
  liar_.WriteOne(right);
  SayWrote(left);
  SayWrote(right);
  End();
  ExpectFound(Anomaly::kCycle);
}

TEST_F(IsolationCheckTest, DetectsATransactionWithAMissingWrite) {
  const Change left = Append(kLeft);
  const Change right = Append(kRight);
  Begin("TransactWriteItems");
  liar_.WriteOne(left);
  SayWrote(left);
  SayWrote(right);
  End();
  ExpectFound(Anomaly::kLostWrite);
}

TEST_F(IsolationCheckTest, DetectsACanceledTransactionThatWrote) {
  const Change left = Append(kLeft);
  Begin("TransactWriteItems");
  liar_.WriteOne(left);
  SayWrote(left);
  SayFailed();
  End();
  ExpectFound(Anomaly::kAbortedRead);
}

TEST_F(IsolationCheckTest, DetectsATransactGetItemsThatWasSeveralGetItems) {
  Begin("TransactGetItems");
  SayRead(liar_.GetItem(kLeft));
  honest_.TransactWriteItems({Append(kLeft), Append(kRight)});
  SayRead(liar_.GetItem(kRight));
  End();
  ExpectFound(Anomaly::kCycle);
}

TEST_F(IsolationCheckTest, DetectsAScanThatWasTwoPages) {
  const Table& table = items_->table(0);
  std::vector<Change> appends;
  for (const std::size_t item : items_->InTable(0)) {
    if (!items_->items()[item].starts_absent) appends.push_back(Append(item));
  }
  Begin("Scan");
  const auto first = table.Scan({.limit = 1});
  ASSERT_THAT(first, IsOk());
  honest_.TransactWriteItems(appends);
  const auto rest = table.Scan({.exclusive_start_key = first->last_evaluated_key()});
  ASSERT_THAT(rest, IsOk());
  for (const QueryOutput* page : {&*first, &*rest}) {
    std::vector<ItemRead> reads = items_->SeenOn(*page, items_->InTable(0));
    std::erase_if(reads, [](const ItemRead& read) { return read.seen.absent(); });
    SayRead(reads);
  }
  End();
  ExpectFound(Anomaly::kCycle);
}

// The client reads an item, appends a mark, and writes the list back without a condition. If a
// different operation writes the item between the read and the write, that other write is lost.
TEST_F(IsolationCheckTest, DetectsAnUpdateThatOverwroteAnother) {
  Begin("UpdateItem");
  const std::vector<ItemRead> before = liar_.GetItem(kLeft);
  honest_.WriteOne(Append(kLeft));
  const Change change{Change::Kind::kPut, kLeft, before[0].seen, {honest_.NewMark()}};
  PutItemInput put = items_->Put(change);
  put.condition = {};
  ASSERT_THAT(items_->TableOf(kLeft).PutItem(put), IsOk());
  SayRead(before);
  SayWrote(change);
  End();
  ExpectFound(Anomaly::kLostWrite);
}

TEST_F(IsolationCheckTest, DetectsAConditionCheckedBeforeTheWrite) {
  Begin("TransactWriteItems");
  SayRead(liar_.TransactGetItems({kLeft, kRight}));
  honest_.TransactWriteItems(
      {{.kind = Change::Kind::kConditionCheck, .item = kLeft, .expected = Seen(MarkCount{0})},
       Append(kRight)});
  const Change left = Append(kLeft);
  liar_.WriteOne(left);
  SayWrote(left);
  End();
  ExpectFound(Anomaly::kCycle);
}

TEST_F(IsolationCheckTest, DetectsAStaleRead) {
  const std::vector<ItemRead> before = liar_.GetItem(kLeft);
  honest_.WriteOne(Append(kLeft));
  Begin("GetItem");
  SayRead(before);
  End();
  ExpectFound(Anomaly::kRealTimeCycle);
}

TEST_F(IsolationCheckTest, DetectsARepeatedTransactionThatWroteAgain) {
  const Change left = Append(kLeft);
  Begin("TransactWriteItems");
  liar_.WriteOne(left);
  liar_.WriteOne(left);
  SayWrote(left);
  End();
  ExpectFound(Anomaly::kRepeatedMark);
}

}  // namespace
}  // namespace dolmen::test
