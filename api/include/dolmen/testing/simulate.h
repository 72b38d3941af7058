// Failures that AWS produces and a local database does not, for tests of the programs that must
// handle them: throttling, conflicts, server errors before or after a write took effect, slow
// answers, partial batches, short pages.
//
//   const auto db = Database::InMemory({.simulate = Simulate({})});
//   ...                                              // create tables and items: no faults yet
//   const auto simulation = Simulation::Of(*db);
//   const Status begun = simulation->Restart(
//       {.seed = 7,
//        .rules = {{.table = "orders", .fault = SimulatedFault::kThrottling, .chance = 0.2},
//                  {.operation = SimulatedOperation::kPutItem,
//                   .fault = SimulatedFault::kInternalServerError,
//                   .moment = FaultMoment::kAfter,
//                   .calls_max = 1}}});
//   PlaceOrders(*db);                                // the same faults in each run
//   std::cout << ToText(simulation->Trace());
//
// Conditions, tokens and validation stay true: a simulation never reports a false condition as true
// or a true condition as false. Whatever was acknowledged is stored, and whatever was refused is not
// stored. Only kInternalServerError and kServiceUnavailable leave open which of both happened. A
// dropped connection is one of them, too: in the process it is reported as kServiceUnavailable.
//
// Operations on tables fail by simulation only if SimulateOptions::delays says so. The other
// operations, such as Subscribe and GetRecords, never do.

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dolmen/result.h"
#include "dolmen/testing/simulate_trace.h"

namespace dolmen {

class Database;

namespace internal {
class Backend;
}  // namespace internal

// One fault, and the calls in which it can happen. An empty filter matches every call. A batch or a
// transaction matches if one of its items matches. The rule then affects only the items that match.
struct SimulateRule {
  std::string table = {};
  std::string index = {};  // Query and Scan of this index
  std::optional<SimulatedOperation> operation = {};
  // The beginning of the partition key as a text: a number in DynamoDB's normal form, or the bytes
  // of a binary. A Scan has no partition key.
  std::string key_prefix = {};

  SimulatedFault fault = SimulatedFault::kThrottling;
  FaultMoment moment = FaultMoment::kBefore;

  // The probability of the fault in a matching call, 0 to 1.
  double chance = 1;

  // The rule skips the first `skip_calls` matching calls. It affects at most the next `calls_max`
  // matching calls, in the order in which all threads make them.
  std::uint64_t skip_calls = 0;
  std::uint64_t calls_max = std::numeric_limits<std::uint64_t>::max();

  // The range of the amount, which is drawn evenly: the milliseconds of kLatency, the items of
  // kPageItems, the bytes of kPageBytes. An amount_max below amount_min counts as amount_min.
  std::uint64_t amount_min = 1;
  std::uint64_t amount_max = 0;
};

// The provisioned capacity of a table or of a global index, in units a second (Capacity in
// consumed_capacity.h). 0: not limited.
struct SimulatedThroughput {
  std::string table = {};
  std::string index = {};  // empty: the table itself, with its local indexes
  double read_units = 0;
  double write_units = 0;
};

// The times for which the states of tables last, by the database's clock. A change itself is done
// at once, so a state only limits operations. With 0 a state does not occur.
struct SimulatedDelays {
  // A new table is CREATING. Operations on its items fail with kResourceNotFound. UpdateTable,
  // DeleteTable and UpdateTimeToLive fail with kResourceInUse.
  std::chrono::milliseconds create_table = std::chrono::milliseconds(0);
  // A table is UPDATING after UpdateTable, unless only annotations change. In DynamoDB's JSON the
  // throughput and the tags are annotations. The three operations fail with kResourceInUse.
  std::chrono::milliseconds update_table = std::chrono::milliseconds(0);
  // A deleted table is DELETING. DescribeTable still returns it; ListTables does not. The three
  // operations and CreateTable fail with kResourceInUse.
  std::chrono::milliseconds delete_table = std::chrono::milliseconds(0);
  // An index that UpdateTable creates is CREATING, and its backfill seems to run. Query and Scan of
  // the index fail with kValidation. Table::WaitForIndexes does not wait for the end of this time.
  std::chrono::milliseconds create_index = std::chrono::milliseconds(0);
  // The time to live of a table is ENABLING or DISABLING. UpdateTimeToLive fails with kValidation.
  std::chrono::milliseconds time_to_live = std::chrono::milliseconds(0);

  friend bool operator==(const SimulatedDelays&, const SimulatedDelays&) = default;
};

// The passing of the time of kLatency.
enum class SimulatedLatency : std::uint8_t {
  kAdvanceClock,  // a ManualClock of the database advances; any other clock is not changed
  kSleep,         // the calling thread sleeps
};

// The policy of a simulation.
struct SimulateOptions {
  // Determines every random decision. A decision depends on the seed, on the call as
  // SimulatedDecision names it, and on the position of the rule.
  std::uint64_t seed = 0;

  // The rules, in the order in which they are tried. The first error ends a call, so later rules are
  // not tried. Latency and short pages add to each other and to a later error.
  std::vector<SimulateRule> rules = {};

  // The capacity of tables and global indexes. A call beyond it fails with
  // kProvisionedThroughputExceeded; a batch leaves the items beyond it unprocessed.
  // - Capacity that is not used accumulates for 300 seconds of the database's clock. A simulation
  //   begins with that amount.
  // - A call is admitted while any capacity is left, and takes its units when it has succeeded.
  // - A write also needs capacity of every global index of the table.
  std::vector<SimulatedThroughput> throughput = {};

  // The capacity of one partition key of each table or global index, in units a second; it
  // accumulates for one second. DynamoDB has 3,000 and 1,000. 0: not limited. Each key counts as a
  // partition of its own. The items of a batch or a transaction share its units equally.
  double partition_read_units = 0;
  double partition_write_units = 0;

  // Eventually consistent reads see the database as it was up to this time before, by the database's
  // clock; 0: they do not lag. They read a fork in memory (Database::Fork), which begins with the
  // simulation. The first read after this time replaces it by a new fork.
  // - GetItem, Query and Scan without consistent_read lag, and so does every read of a global index.
  //   A BatchGetItem lags if none of its tables has consistent_read.
  // - Conditions, transactions and reads with consistent_read never lag.
  // - Tables and indexes that are newer than the fork do not lag.
  std::chrono::milliseconds read_lag = std::chrono::milliseconds(0);

  // True: Scan reads the partitions of a table, an index or a segment in the order of a hash of
  // their keys and of `seed`, as DynamoDB does. False: it reads them in the order of their keys. In
  // both cases the items of one partition follow each other, in the order of their sort keys.
  bool hash_order = false;

  // True: Query and Scan return items with equal keys of an index in the order of a hash of their
  // keys and of `seed`, because DynamoDB does not define their order. False: they are in the order of
  // the keys of the table. The order is the same in all pages, and a backward Query reverses it.
  // - Each page copies all items that have the index key of its first or its last item to memory.
  // - A Query of several Partitions, which DynamoDB lacks, keeps the order of the keys.
  bool shuffle_equal_keys = false;

  // The number of shards of each stream: 1, 2, 4, ... or 64. Each shard has the records of some
  // partition keys. Subscriptions still get all records in one order.
  std::uint32_t stream_shards = 1;
  // The time after which a shard ends, by the database's clock: at least a minute; 0: shards do not
  // end. DynamoDB has about 4 hours. A stream then begins with one shard. A shard ends with the first
  // record after its time, or 24 hours after its time. Two children follow it until there are
  // `stream_shards` shards, and one child from then on.
  std::chrono::milliseconds shard_lifetime = std::chrono::milliseconds(0);

  // The size in bytes above which an item collection is full: the items with one partition key of a
  // table with local indexes, and their entries in these indexes. DynamoDB has 10 GB. 0: not
  // limited. PutItem, UpdateItem, BatchWriteItem and TransactWriteItems then fail with
  // kItemCollectionSizeLimitExceeded, unless they only delete items of the full collection. Unlike
  // in DynamoDB, a write that makes an item smaller fails, too.
  std::uint64_t item_collection_bytes = 0;

  // The states that last. A simulation begins with all tables active.
  SimulatedDelays delays = {};

  SimulatedLatency latency = SimulatedLatency::kAdvanceClock;
  // Called in place of `latency` with the milliseconds, on the calling thread. Empty: `latency`
  // decides.
  std::function<void(std::uint64_t)> on_latency = {};

  // If given, exactly these faults happen. No rule is tried, and no capacity is exceeded.
  std::optional<SimulatedTrace> replay = {};
};

// Returns the options for OpenOptions::simulate.
std::shared_ptr<const SimulateOptions> Simulate(SimulateOptions options);

// The simulation of an open database. A handle: copies refer to the same simulation and keep the
// database open. Thread-safe.
//
// A fork of the database (Database::Fork) has a simulation of its own, with the same options. It
// counts calls from 1 again and has an empty trace, so a test fails in the same way alone and after
// other tests.
class Simulation {
 public:
  // Returns the simulation of the database. Without rules, limits and lag, a simulation costs about
  // a tenth of a microsecond for each call.
  // - kValidation: the database was opened without OpenOptions::simulate.
  static Result<Simulation> Of(const Database& database);

  // Replaces the options, counts calls from 1 again and clears the trace.
  // - kValidation: a rule has a chance outside 0 to 1, or an amount of 0.
  // - kValidation: stream_shards or shard_lifetime is not one of the values that they can have.
  // - An error of Database::Fork, if read_lag is greater than 0.
  Status Restart(SimulateOptions options) const;

  // Returns the options of the last Restart, or those with which the database was opened.
  SimulateOptions Options() const;

  // Returns the faults since the database was opened or the simulation was restarted.
  SimulatedTrace Trace() const;

 private:
  explicit Simulation(std::shared_ptr<internal::Backend> backend);

  std::shared_ptr<internal::Backend> backend_;
};

}  // namespace dolmen

#include "dolmen/internal/show_macros.h"
