// Random programs under all faults: they fail in the same way again, and the faults are honest.

#include "tests/support/random.h"

#include <algorithm>
#include <chrono>
#include <iostream>
#include <thread>

#include "tests/simulate/workload.h"
#include "tests/support/faults.h"

namespace dolmen::simulate {
namespace {

// A clock with a time of its own for each thread, so that the latency of one thread does not affect
// the others. Each thread begins at 0.
class ThreadClock final : public Clock {
 public:
  Timestamp Now() override { return Timestamp(now_); }
  static void Advance(std::chrono::milliseconds by) { now_ += by; }

 private:
  static thread_local std::chrono::milliseconds now_;
};
thread_local std::chrono::milliseconds ThreadClock::now_{0};

class RandomSimulationTest : public test::SeededTest {
 protected:
  static constexpr std::chrono::milliseconds kReadLag{500};

  RandomSimulationTest() { Workload::CreateTable(origin_); }

  // Returns a new fork of an empty database with the table "app", which has the simulation.
  static Database Start(const Database& origin, const SimulateOptions& options) {
    const Database fork = test::Value(origin.Fork());
    EXPECT_THAT(test::Value(Simulation::Of(fork)).Restart(options), IsOk());
    return fork;
  }
  static SimulatedTrace TraceOf(const Database& db) {
    return test::Value(Simulation::Of(db)).Trace();
  }
  std::string RunAndTrace(std::uint64_t seed, std::size_t operations) const {
    SimulateOptions options = EveryFault(seed, 0.05, kReadLag);
    options.throughput = {{.table = "app", .read_units = 1, .write_units = 0.05}};
    const Database db = Start(origin_, options);
    const auto wait = [&db](std::chrono::milliseconds time) {
      db.clock()->AsManualClock()->Advance(time);
    };
    Workload(db, seed, {.read_lag = kReadLag, .wait = wait}).Run(operations);
    return ToText(TraceOf(db));
  }

  Database origin_ = test::Value(Database::InMemory(
      {.clock = std::make_shared<ManualClock>(), .simulate = dolmen::Simulate({})}));
};

TEST_F(RandomSimulationTest, EachSeedGivesTheSameTraceTwice) {
  const std::size_t seeds = test::TestSteps(1'000);
  std::set<std::string> traces;
  std::size_t decisions = 0;
  for (std::size_t i = 0; i < seeds && !HasFailure(); ++i) {
    const std::uint64_t seed = random_.Next();
    const std::string trace = RunAndTrace(seed, 20);
    EXPECT_EQ(RunAndTrace(seed, 20), trace) << "seed " << seed;
    traces.insert(trace);
    decisions += static_cast<std::size_t>(std::ranges::count(trace, '\n'));
  }
  EXPECT_GE(traces.size() * 100, seeds * 98);  // different seeds give different traces
  std::cout << seeds << " seeds, " << decisions << " decisions\n";
}

TEST_F(RandomSimulationTest, FaultsAreHonest) {
  const std::size_t programs = test::TestSteps(100);
  for (std::size_t i = 0; i < programs && !HasFailure(); ++i) RunAndTrace(random_.Next(), 200);
}

// The threads run in a different order each time. No read sees a new fork, because the lag is long.
TEST_F(RandomSimulationTest, ThreadsWithPartitionsOfTheirOwnGetTheSameFaultsInAnyOrder) {
  const Database origin = test::Value(Database::InMemory(
      {.clock = std::make_shared<ThreadClock>(), .simulate = dolmen::Simulate({})}));
  Workload::CreateTable(origin);
  const auto run = [&](std::uint64_t seed) {
    SimulateOptions options = EveryFault(seed, 0.05, std::chrono::hours(24));
    options.on_latency = [](std::uint64_t time) {
      ThreadClock::Advance(std::chrono::milliseconds(time));
    };
    const Database db = Start(origin, options);
    std::vector<std::thread> threads;
    for (std::uint64_t i = 0; i < 3; ++i) {
      const std::string name = std::to_string(i);
      threads.emplace_back([&db, name, program = seed + i] {
        Workload(db, program,
                 {.partitions = {name + "a", name + "b"},
                  .scans = false,
                  .read_lag = std::chrono::hours(24),
                  .wait = ThreadClock::Advance})
            .Run(100);
      });
    }
    for (std::thread& thread : threads) thread.join();
    SimulatedTrace trace = TraceOf(db);
    std::ranges::stable_sort(trace, {}, &SimulatedDecision::key);
    return ToText(trace);
  };
  const std::size_t seeds = (test::TestSteps(100) + 9) / 10;
  for (std::size_t i = 0; i < seeds && !HasFailure(); ++i) {
    const std::uint64_t seed = random_.Next();
    const std::string trace = run(seed);
    EXPECT_FALSE(trace.empty());
    EXPECT_EQ(run(seed), trace) << "seed " << seed;
  }
}

// A shop that writes each order to three places, and looks at no error. It loses an order if all
// three writes fail.
class Shop {
 public:
  static constexpr int kOrders = 420;

  explicit Shop(const Database& db) : db_(db), table_(test::Value(db.OpenTable("app"))) {}

  void PlaceOrders() const {
    for (int i = 0; i < kOrders; ++i) {
      const std::string order = NameOf(i);
      table_.PutItem({.item = KeyOf(order, "put")}).status().IgnoreError();
      db_.BatchWriteItem({.requests = {{table_,
                                        {PutRequest{KeyOf(order, "batch")},
                                         PutRequest{KeyOf(order, "other")}}}}})
          .status()
          .IgnoreError();
      db_.TransactWriteItems({.actions = {{table_, PutItemInput{.item = KeyOf(order, "action")}}}})
          .status()
          .IgnoreError();
    }
  }

  // Returns true if no place has the order. Ends the simulation.
  bool Lost(int order) const {
    EXPECT_THAT(test::Value(Simulation::Of(db_)).Restart({}), IsOk());
    const QueryOutput found =
        test::Value(table_.Query({.key_condition = Partition(NameOf(order))}));
    for (const ItemView item : found) {
      if (item["SK"].AsString() != "other") return false;
    }
    return true;
  }

  static std::string NameOf(int order) { return "order" + std::to_string(order); }

 private:
  Database db_;
  Table table_;
};

TEST_F(RandomSimulationTest, AThousandDecisionsShrinkToTheThreeThatMatter) {
  const auto loses = [this](const SimulateOptions& options, int order) {
    const Database db = Start(origin_, options);
    const Shop shop(db);
    shop.PlaceOrders();
    return shop.Lost(order);
  };
  const SimulateOptions options = {.seed = random_.Next(), .rules = test::AllFaults(0.1)};
  const Database db = Start(origin_, options);
  const Shop shop(db);
  shop.PlaceOrders();
  const SimulatedTrace trace = TraceOf(db);
  int lost = 0;
  while (lost < Shop::kOrders && !shop.Lost(lost)) ++lost;
  ASSERT_LT(lost, Shop::kOrders);

  int runs = 0;
  const SimulatedTrace cause = ShrinkTrace(trace, [&](const SimulatedTrace& candidate) {
    ++runs;
    return loses({.replay = candidate}, lost);
  });
  std::cout << trace.size() << " decisions shrink in " << runs << " runs to\n" << ToText(cause);
  ASSERT_EQ(cause.size(), 3U);
  EXPECT_EQ(cause[0].operation, Operation::kPutItem);
  EXPECT_EQ(cause[1].operation, Operation::kBatchWriteItem);
  EXPECT_EQ(cause[2].operation, Operation::kTransactWriteItems);
  for (const SimulatedDecision& decision : cause) EXPECT_EQ(decision.key, Shop::NameOf(lost));
  EXPECT_LE(runs, 150);
}

}  // namespace
}  // namespace dolmen::simulate
