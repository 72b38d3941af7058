// The faults of one call, in the form in which the call applies them.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "dolmen/result.h"
#include "dolmen/testing/simulate_trace.h"
#include "engine/simulate/call.h"

namespace dolmen::engine {

struct CallFaults {
  std::uint64_t latency_milliseconds = 0;
  Status before = {};  // an error: the call fails and does nothing
  Status after = {};   // an error: the call does its work, and its caller gets this error
  // The limits of a page of a Query or a Scan, at least 1.
  std::optional<std::uint32_t> page_items = {};
  std::optional<std::size_t> page_bytes = {};
  std::set<std::size_t> unprocessed = {};  // positions in Call::items
};

// Returns the faults of `call` that the decisions describe.
CallFaults FaultsOf(const Call& call, const std::vector<SimulatedDecision>& decisions);

}  // namespace dolmen::engine
