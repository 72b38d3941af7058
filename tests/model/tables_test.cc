// Compares several tables of a real database with the reference. The tables have keys and indexes
// of all kinds. The operations are random, and some create and delete tables and indexes. Each
// operation runs on the database and on the reference and must have the same outcome on both. At
// intervals the test compares the full contents.

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

#include "tests/model/twin_tables.h"
#include "tests/support/random.h"

namespace dolmen::test {
namespace {

constexpr std::size_t kTablesSteps = 30'000;
constexpr std::size_t kStepsPerCheck = 2'000;
constexpr std::size_t kStepsPerReport = 100'000;  // progress reports of long runs

class TablesTest : public SeededTest {
 protected:
  void DoStep() {
    struct Kind {
      std::size_t weight;
      void (TwinTables::*action)();
    };
    static const std::vector<Kind> kKinds = {
        {500, &TwinTables::Write},       {30, &TwinTables::Get},
        {200, &TwinTables::Query},       {50, &TwinTables::Scan},
        {50, &TwinTables::BatchWrite},   {30, &TwinTables::BatchGetItems},
        {120, &TwinTables::Transact},    {30, &TwinTables::TransactGet},
        {10, &TwinTables::AdvanceClock}, {2, &TwinTables::Describe},
        {7, &TwinTables::ChangeIndexes}, {1, &TwinTables::ReplaceTable},
        {1, &TwinTables::Reopen}};
    static const std::size_t kWeights = [] {
      std::size_t sum = 0;
      for (const Kind& kind : kKinds) sum += kind.weight;
      return sum;
    }();
    std::size_t left = random_.Below(kWeights);
    for (const auto& [weight, action] : kKinds) {
      if (left < weight) return (tables_.*action)();
      left -= weight;
    }
  }

  TwinTables tables_{&random_};
};

TEST_F(TablesTest, DatabaseBehavesLikeReferenceMaps) {
  const std::size_t steps = TestSteps(kTablesSteps);
  tables_.Create();
  for (std::size_t step = 1; step <= steps && !HasFailure(); ++step) {
    DoStep();
    if (step % kStepsPerCheck == 0) tables_.CheckAll();
    if (step % kStepsPerReport == 0) std::cout << step << " steps" << std::endl;
    if (HasFailure()) std::cout << "step " << step << ", DOLMEN_SEED=" << TestSeed() << '\n';
  }
  if (HasFailure()) return;
  tables_.CheckAll();
  for (const auto& [what, count] : tables_.counts()) std::cout << count << ' ' << what << '\n';
  // Every kind of outcome must happen at least ten times. Otherwise the comparison would prove
  // little.
  if (steps < kTablesSteps) return;
  for (const std::string what :
       {"write: OK", "write: ValidationException", "write: ConditionalCheckFailedException",
        "transaction: OK", "transaction: ValidationException",
        "transaction: TransactionCanceledException", "batch write: OK",
        "batch write: ValidationException", "batch get: OK", "batch get: ValidationException",
        "transact get: OK", "query of several partitions", "scan in segments", "table created",
        "index created", "index deleted", "index with items checked", "reopened"}) {
    const auto count = tables_.counts().find(what);
    EXPECT_TRUE(count != tables_.counts().end() && count->second >= 10) << what;
  }
}

}  // namespace
}  // namespace dolmen::test
