// Tests that concurrent operations on a few items are strictly serializable: one thread that
// executes the operations one at a time, in an order that agrees with real time, would get the same
// results.
//
// DOLMEN_STEPS=1000000 lets the test run for minutes. A seed determines the calls, but not their
// interleaving.

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <iostream>
#include <string>
#include <thread>

#include "dolmen/dolmen.h"
#include "dolmen/testing/simulate.h"
#include "tests/concurrent/random_calls.h"
#include "tests/concurrent/recorded_client.h"
#include "tests/concurrent/serializability.h"
#include "tests/concurrent/threads.h"
#include "tests/concurrent/tracked_items.h"
#include "tests/support/checked_reads.h"
#include "tests/support/faults.h"
#include "tests/support/random.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temp_directory.h"
#include "tests/support/value.h"

namespace dolmen::test {
namespace {

constexpr std::size_t kStepsPerThread = 50;  // in one round, so that lists stay short
constexpr std::size_t kStepsPerRound = kThreads * kStepsPerThread;
constexpr std::size_t kSteps = 40 * kStepsPerRound;

// A row cache that evicts entries all the time.
constexpr std::size_t kSmallCacheBytes = 100'000;

class IsolationTest : public SeededTest {
 protected:
  struct Count {
    std::size_t operations = 0;
    std::size_t met = 0;  // another operation began or ended during it
    std::size_t failed = 0;
    std::size_t deletions = 0;
  };

  void RunRounds(const Result<Database>& database, const RecordedClient::Options& options = {}) {
    ASSERT_THAT(database, IsOk());
    Count count;
    const std::size_t rounds = (TestSteps(kSteps) + kStepsPerRound - 1) / kStepsPerRound;
    for (std::size_t round = 0; round < rounds && !HasFailure(); ++round) {
      RunRound(*database, round, options, &count);
    }
    std::cout << count.operations << " operations in " << rounds << " rounds; " << count.met
              << " overlapped others, " << count.failed << " failed; " << count.deletions
              << " deletions; the row cache answered " << Value(database->Stats()).row_cache_hits
              << " reads\n";
  }

 private:
  const CheckedReads checked_reads_;

  // Runs one round on new items.
  static void RunRound(const Database& database, std::size_t round,
                       const RecordedClient::Options& options, Count* count) {
    SCOPED_TRACE("round " + std::to_string(round));
    auto items = TrackedItems::Create(database, std::to_string(round));
    ASSERT_THAT(items, IsOk());
    if (options.faults) Restart(database, Faults(TestSeed() + round, options.lags));
    Recorder recorder(items->items(), kThreads + 1);
    RunTogether(kThreads, [&](std::size_t thread) {
      RecordedClient::Options own = options;
      own.thread = thread;
      RecordedClient client(database, *items, &recorder, own);
      RandomCalls calls(&client, TestSeed() + round * kThreads + thread);
      for (std::size_t i = 0; i < kStepsPerThread; ++i) calls.Step();
    });
    if (options.faults) Restart(database, {});
    RecordedClient last(database, *items, &recorder, {.thread = kThreads});
    for (std::size_t table = 0; table < TrackedItems::kTables; ++table) last.Scan(table);
    last.ScanIndex();

    const History history = recorder.Take();
    const auto violation = CheckSerializability(history);
    ASSERT_FALSE(violation.has_value()) << violation->text;
    AddTo(count, history);
    ASSERT_THAT(items->Drop(), IsOk());
  }

  static void Restart(const Database& database, const SimulateOptions& options) {
    ASSERT_THAT(Value(Simulation::Of(database)).Restart(options), IsOk());
  }
  // Returns a policy with every fault. No error of a DeleteItem is unclear.
  static SimulateOptions Faults(std::uint64_t seed, bool lags) {
    SimulateOptions options{.seed = seed,
                            .read_lag = std::chrono::hours(lags ? 1 : 0),
                            .on_latency = [](std::uint64_t) { std::this_thread::yield(); }};
    for (SimulateRule rule : AllFaults(0.02)) {
      const bool is_clear =
          rule.moment == FaultMoment::kBefore && rule.fault != SimulatedFault::kHalfResponse;
      if (is_clear) {
        options.rules.push_back(rule);
        continue;
      }
      for (const auto operation : {SimulatedOperation::kPutItem, SimulatedOperation::kUpdateItem,
                                   SimulatedOperation::kTransactWriteItems}) {
        rule.operation = operation;
        options.rules.push_back(rule);
      }
    }
    return options;
  }

  static void AddTo(Count* count, const History& history) {
    count->operations += history.operations.size();
    for (const Operation& operation : history.operations) {
      if (operation.ended - operation.began > 1) ++count->met;
      if (!operation.committed) ++count->failed;
      for (const ItemWrite& write : operation.writes) {
        if (operation.committed && write.deletes()) ++count->deletions;
      }
    }
  }
};

TEST_F(IsolationTest, EverythingIsStrictlySerializableInMemory) { RunRounds(Database::InMemory()); }

TEST_F(IsolationTest, EverythingIsStrictlySerializableWithASmallRowCache) {
  RunRounds(Database::InMemory({.row_cache_bytes = kSmallCacheBytes}));
}

TEST_F(IsolationTest, EverythingIsStrictlySerializableOnDisk) {
  const TempDirectory directory;
  // The write buffer is small, so the database flushes it several times during the test. Reads then
  // find some items in the buffer and others in files.
  RunRounds(Database::Open(directory / "db", {.durability = Durability::kBuffered,
                                              .write_buffer_bytes = std::size_t{64} << 10}));
}

// An operation that conflicts with a concurrent operation fails and writes nothing.
TEST_F(IsolationTest, EverythingIsStrictlySerializableWhereConflictsFail) {
  RunRounds(Database::InMemory({.on_conflict = OnConflict::kFail}), {.conflicts = true});
}

TEST_F(IsolationTest, EverythingIsStrictlySerializableUnderEveryFault) {
  RunRounds(Database::InMemory({.simulate = Simulate({})}), {.faults = true});
}

TEST_F(IsolationTest, ConsistentReadsAreStrictlySerializableWhereTheOthersLag) {
  RunRounds(Database::InMemory({.simulate = Simulate({})}), {.faults = true, .lags = true});
}

}  // namespace
}  // namespace dolmen::test
