// The trace of a simulation (simulate.h): every fault that it has produced, one record each.
//
// A failed test prints its trace. A developer repeats the test with SimulateOptions::replay, and
// removes the faults that do not matter:
//
//   const auto trace = ParseSimulatedTrace(text);
//   const SimulatedTrace cause = ShrinkTrace(*trace, [](const SimulatedTrace& candidate) {
//     return !RunTheTest({.replay = candidate});
//   });

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/result.h"

namespace dolmen {

// The operations that can fail by simulation.
enum class SimulatedOperation : std::uint8_t {
  kGetItem,
  kQuery,
  kScan,
  kPutItem,
  kUpdateItem,
  kDeleteItem,
  kBatchGetItem,
  kBatchWriteItem,
  kTransactGetItems,
  kTransactWriteItems,
};

// The faults of a simulation. A rule affects only calls of the operations that its comment names.
enum class SimulatedFault : std::uint8_t {
  // All operations: kProvisionedThroughputExceeded. A transaction is canceled with this reason.
  kProvisionedThroughputExceeded,
  // All operations: kThrottling. A transaction is canceled with this reason.
  kThrottling,
  // All operations: kRequestLimitExceeded.
  kRequestLimitExceeded,
  // PutItem, UpdateItem and DeleteItem: kTransactionConflict. A transaction is canceled with this
  // reason for one of its actions.
  kTransactionConflict,
  // TransactWriteItems with a token: kTransactionInProgress.
  kTransactionInProgress,
  // All operations: kInternalServerError or kServiceUnavailable, before the operation or after it.
  kInternalServerError,
  kServiceUnavailable,
  // All operations: the client of a server loses its connection, before the operation or after it. A
  // caller in the process gets kServiceUnavailable, with a message that names the fault.
  kDroppedConnection,
  // All operations: the operation is done, but the client of a server receives only the head and half
  // of the body of the response, and then loses its connection. A caller in the process gets
  // kServiceUnavailable, as after kDroppedConnection.
  kHalfResponse,
  // All operations: the operation takes longer.
  kLatency,
  // BatchGetItem and BatchWriteItem: some keys or writes are returned as unprocessed. A batch of one
  // item fails with kProvisionedThroughputExceeded, as in DynamoDB.
  kPartialBatch,
  // Query and Scan: the page ends after a number of items, counted before the filter.
  kPageItems,
  // Query and Scan: the page ends after the item with which the returned items reach a number of
  // bytes. The bytes are those of Dolmen's stored form.
  kPageBytes,
};

// The moment of kInternalServerError, kServiceUnavailable and kDroppedConnection. That of
// kHalfResponse is always kAfter.
enum class FaultMoment : std::uint8_t {
  kBefore,  // the operation is not done
  kAfter,   // the operation is done, but its caller gets the error
};

// Return the names of all enumerators without `k`, in the order of the enumerators.
std::span<const std::string_view> SimulatedOperationNames();
std::span<const std::string_view> SimulatedFaultNames();

// Return the name without `k`: "PutItem", "Latency".
std::string_view SimulatedOperationName(SimulatedOperation operation);
std::string_view SimulatedFaultName(SimulatedFault fault);

// A fault in one call. The first five fields name the call. They do not depend on the calls for
// other partitions, so threads that use different partitions do not disturb each other.
struct SimulatedDecision {
  SimulatedOperation operation = SimulatedOperation::kGetItem;
  std::string table = {};  // for a batch or a transaction the table of its first item
  std::string index = {};  // for Query and Scan
  // The partition key as a text; for a batch or a transaction that of its first item. Empty for
  // Scan.
  std::string key = {};
  // The position of the call among the calls with equal fields above; 1 for the first.
  std::uint64_t call = 1;

  SimulatedFault fault = SimulatedFault::kLatency;
  FaultMoment moment = FaultMoment::kBefore;
  // The milliseconds of kLatency, the items of kPageItems, or the bytes of kPageBytes; otherwise 0.
  std::uint64_t amount = 0;
  // The positions of the items of a batch that are left unprocessed, or of the action that cancels
  // a transaction. Positions count from 0 over all tables of the request.
  std::vector<std::size_t> items = {};
  // The limits of SimulateOptions that the call has exceeded. Empty for a fault by a rule.
  std::vector<ThrottlingReason> throttling_reasons = {};

  friend bool operator==(const SimulatedDecision&, const SimulatedDecision&) = default;
};

// The decisions of a simulation, in the order of the calls.
using SimulatedTrace = std::vector<SimulatedDecision>;

// Returns one line for each decision:
//
//   PutItem table=orders key=ORDER%237 call=2 fault=InternalServerError after
//
// Bytes other than ASCII letters, digits and "-._:" are written as % and two hexadecimal digits.
std::string ToText(const SimulatedTrace& trace);

// Parses the text that ToText writes. Empty lines are skipped.
// - kValidation: a line is not a decision. The message contains the line.
Result<SimulatedTrace> ParseSimulatedTrace(std::string_view text);

// Removes decisions from `trace` as long as still_fails(rest) is true, and returns the rest. No
// decision of the result can be removed alone. Calls `still_fails` about k * log2(n) times to find k
// of n decisions that are independent of each other, and at most n * n times. The order of the decisions
// stays the same.
// REQUIRES: still_fails(trace) is true, and still_fails returns the same result for equal traces.
SimulatedTrace ShrinkTrace(SimulatedTrace trace,
                           const std::function<bool(const SimulatedTrace&)>& still_fails);

}  // namespace dolmen

#include "dolmen/internal/show_macros.h"
