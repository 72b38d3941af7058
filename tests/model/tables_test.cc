// Compares several tables of a real database with the reference. The tables have keys and indexes
// of all kinds. The operations are random, and some create and delete tables and indexes. Each
// operation runs on the database and on the reference and must have the same outcome on both. At
// intervals the test compares the full contents.

#include <gtest/gtest.h>

#include <array>
#include <iostream>
#include <string>
#include <vector>

#include "tests/model/twin_tables.h"
#include "tests/support/random.h"

namespace dolmen::test {
namespace {

constexpr std::size_t kTablesSteps = 15'000;
constexpr std::size_t kCrashSteps = 1'500;
constexpr std::size_t kFaultSteps = 5'000;
constexpr std::size_t kStepsPerCheck = 2'000;
constexpr std::size_t kStepsPerReport = 100'000;  // progress reports of long runs

struct StepKind {
  std::size_t weight;
  void (TwinTables::*action)();
};
constexpr std::array kKinds = {
    StepKind{500, &TwinTables::Write},       StepKind{30, &TwinTables::Get},
    StepKind{200, &TwinTables::Query},       StepKind{50, &TwinTables::Scan},
    StepKind{50, &TwinTables::BatchWrite},   StepKind{30, &TwinTables::BatchGetItems},
    StepKind{120, &TwinTables::Transact},    StepKind{30, &TwinTables::TransactGet},
    StepKind{10, &TwinTables::AdvanceClock}, StepKind{2, &TwinTables::Describe},
    StepKind{7, &TwinTables::ChangeIndexes}, StepKind{1, &TwinTables::ReplaceTable},
    StepKind{1, &TwinTables::Reopen}};
constexpr StepKind kCrash = {30, &TwinTables::Crash};

class TablesTest : public SeededTest {
 protected:
  // Does `steps` random steps of these kinds, and checks all contents at intervals and at the end.
  void DoSteps(std::size_t steps, const std::vector<StepKind>& kinds, TwinTables* tables) {
    tables->Create();
    for (std::size_t step = 1; step <= steps && !HasFailure(); ++step) {
      (tables->*Choose(kinds))();
      if (step % kStepsPerCheck == 0) tables->CheckAll();
      if (step % kStepsPerReport == 0) std::cout << step << " steps" << std::endl;
      if (HasFailure()) std::cout << "step " << step << ", DOLMEN_SEED=" << TestSeed() << '\n';
    }
    if (HasFailure()) return;
    tables->CheckAll();
    for (const auto& [what, count] : tables->counts()) std::cout << count << ' ' << what << '\n';
  }

  // Checks that every outcome happened at least `times` times. Otherwise the comparison would prove
  // little.
  static void ExpectCounts(const TwinTables& tables, std::size_t times,
                           const std::vector<std::string>& outcomes) {
    for (const std::string& what : outcomes) {
      const auto count = tables.counts().find(what);
      EXPECT_TRUE(count != tables.counts().end() && count->second >= times) << what;
    }
  }

 private:
  void (TwinTables::*Choose(const std::vector<StepKind>& kinds))() {
    std::size_t weights = 0;
    for (const StepKind& kind : kinds) weights += kind.weight;
    std::size_t left = random_.Below(weights);
    auto kind = kinds.begin();
    for (; left >= kind->weight; ++kind) left -= kind->weight;
    return kind->action;
  }
};

TEST_F(TablesTest, DatabaseBehavesLikeReferenceMaps) {
  const std::size_t steps = TestSteps(kTablesSteps);
  TwinTables tables(&random_);
  DoSteps(steps, {kKinds.begin(), kKinds.end()}, &tables);
  if (steps < kTablesSteps || HasFailure()) return;
  ExpectCounts(
      tables, 3,
      {"write: OK", "write: ValidationException", "write: ConditionalCheckFailedException",
       "transaction: OK", "transaction: ValidationException",
       "transaction: TransactionCanceledException", "batch write: OK",
       "batch write: ValidationException", "batch get: OK", "batch get: ValidationException",
       "transact get: OK", "query of several partitions", "scan in segments", "table created",
       "index created", "index deleted", "index with items checked", "reopened"});
}

TEST_F(TablesTest, DatabaseBehavesLikeReferenceMapsAfterCrashes) {
  const std::size_t steps = TestSteps(kCrashSteps);
  TwinTables tables(&random_, TwinTables::Trouble::kCrashes);
  std::vector<StepKind> kinds(kKinds.begin(), kKinds.end());
  kinds.push_back(kCrash);
  DoSteps(steps, kinds, &tables);
  if (steps < kCrashSteps || HasFailure()) return;
  ExpectCounts(tables, 1,
               {"crash: killed process", "crash: power cut", "crash: disk rejects changes first"});
}

TEST_F(TablesTest, DatabaseBehavesLikeReferenceMapsUnderEveryFault) {
  const std::size_t steps = TestSteps(kFaultSteps);
  TwinTables tables(&random_, TwinTables::Trouble::kFaults);
  DoSteps(steps, {kKinds.begin(), kKinds.end()}, &tables);
  if (steps < kFaultSteps || HasFailure()) return;
  ExpectCounts(
      tables, 1,
      {"fault: ProvisionedThroughputExceeded", "fault: Throttling", "fault: RequestLimitExceeded",
       "fault: TransactionConflict", "fault: TransactionInProgress", "fault: InternalServerError",
       "fault: ServiceUnavailable", "fault: short page", "fault: batch", "scan in segments"});
}

}  // namespace
}  // namespace dolmen::test
