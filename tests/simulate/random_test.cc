// Random programs under all faults: they fail in the same way again, and the faults are honest.

#include "tests/support/random.h"

#include <algorithm>
#include <thread>

#include "tests/simulate/workload.h"

namespace dolmen::simulate {
namespace {

class RandomSimulationTest : public test::SeededTest {
 protected:
  // Returns a new fork of an empty database with the table "app", which has all faults.
  Database Start(std::uint64_t seed) const {
    const Database fork = test::Value(origin_.Fork());
    const Simulation simulation = test::Value(Simulation::Of(fork));
    EXPECT_THAT(simulation.Restart({.seed = seed, .rules = AllFaults(0.05)}), IsOk());
    return fork;
  }
  static std::string TraceTextOf(const Database& db) {
    return ToText(test::Value(Simulation::Of(db)).Trace());
  }
  std::string RunAndTrace(std::uint64_t seed, std::size_t operations) const {
    const Database db = Start(seed);
    Workload(db, seed).Run(operations);
    return TraceTextOf(db);
  }

  Database origin_ = test::Value(Database::InMemory(
      {.clock = std::make_shared<ManualClock>(), .simulate = dolmen::Simulate({})}));
  Table table_ = test::Value(origin_.CreateTable({.name = "app"}));
};

TEST_F(RandomSimulationTest, EachSeedGivesTheSameTraceTwice) {
  std::set<std::string> traces;
  for (int seed = 0; seed < 1'000 && !HasFailure(); ++seed) {
    const std::uint64_t drawn = random_.Next();
    const std::string trace = RunAndTrace(drawn, 20);
    EXPECT_EQ(RunAndTrace(drawn, 20), trace) << "seed " << drawn;
    traces.insert(trace);
  }
  EXPECT_GT(traces.size(), 990U);  // different seeds give different traces
}

TEST_F(RandomSimulationTest, FaultsAreHonest) {
  const std::size_t programs = test::TestSteps(100);
  for (std::size_t i = 0; i < programs && !HasFailure(); ++i) RunAndTrace(random_.Next(), 200);
}

// Each thread uses a partition of its own. The threads run in a different order each time.
TEST_F(RandomSimulationTest, ThreadsWithPartitionsOfTheirOwnGetTheSameFaultsInAnyOrder) {
  const std::uint64_t seed = random_.Next();
  const auto run = [&] {
    const Database db = Start(seed);
    const Table table = test::Value(db.OpenTable("app"));
    std::vector<std::thread> threads;
    for (const char* pk : {"a", "b", "c"}) {
      threads.emplace_back([&table, pk] {
        for (int i = 0; i < 100; ++i) table.GetItem({.key = KeyOf(pk, "1")}).status().IgnoreError();
      });
    }
    for (std::thread& thread : threads) thread.join();
    SimulatedTrace trace = test::Value(Simulation::Of(db)).Trace();
    std::ranges::stable_sort(trace, {}, &SimulatedDecision::key);
    return ToText(trace);
  };
  EXPECT_EQ(run(), run());
}

}  // namespace
}  // namespace dolmen::simulate
