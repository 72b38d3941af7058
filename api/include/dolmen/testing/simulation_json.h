// Policies of simulations (simulate.h) as JSON texts, for tests in any language.
//
//   {"Seed": 7,
//    "Rules": [{"Table": "orders", "Index": "", "Operation": "PutItem", "KeyPrefix": "ORDER#",
//               "Fault": "InternalServerError", "Moment": "After", "Chance": 0.2,
//               "SkipCalls": 0, "CallsMax": 1, "AmountMin": 1, "AmountMax": 10}],
//    "Throughput": [{"Table": "orders", "Index": "", "ReadUnits": 5, "WriteUnits": 5}],
//    "PartitionReadUnits": 3000, "PartitionWriteUnits": 1000,
//    "ReadLagMilliseconds": 500,
//    "HashOrder": true, "ShuffleEqualKeys": true,
//    "StreamShards": 4, "ShardLifetimeMilliseconds": 14400000,
//    "ItemCollectionBytes": 100000,
//    "Delays": {"CreateTableMilliseconds": 5000, "UpdateTableMilliseconds": 5000,
//               "DeleteTableMilliseconds": 5000, "CreateIndexMilliseconds": 5000,
//               "TimeToLiveMilliseconds": 5000},
//    "Latency": "Sleep",
//    "Replay": ["PutItem table=orders key=ORDER%237 call=2 fault=InternalServerError after"]}
//
// The members are the fields of SimulateOptions, SimulateRule, SimulatedThroughput and
// SimulatedDelays. All of them are optional. A member that is absent or null has the default of its field.
// - Fault and Operation are the names of SimulatedFault and SimulatedOperation without `k`.
// - Moment is "Before" or "After". Latency is "AdvanceClock" or "Sleep".
// - Replay has the lines of ToText (simulate_trace.h).
//
// Like dolmen/wire.h it belongs to a library of its own: link dolmen::wire.

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <string_view>

#include "dolmen/testing/simulate.h"

namespace dolmen {

// Returns the policy in a JSON text. Thread-safe. Does not check the ranges that
// Simulation::Restart checks.
// - kValidation: the text is not a JSON object, a member is unknown, or the value of a member is
//   wrong. The message names the member, for example Rules[1].Chance. Positions count from 0.
Result<SimulateOptions> ParseSimulation(std::string_view json);

}  // namespace dolmen

#include "dolmen/internal/show_macros.h"
