// The faults of one call, in the form in which the call applies them.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "database/simulate/call.h"
#include "database/simulate/connection_fault.h"
#include "dolmen/result.h"
#include "dolmen/testing/simulate_trace.h"

namespace dolmen::database {

// A failure of a call. A caller in the process gets `error`. The server of a client in another
// process breaks the connection, if `connection` is a fault.
struct CallFailure {
  Status error = {};  // a success: the call does not fail
  internal::ConnectionFault connection = internal::ConnectionFault::kNone;
};

struct CallFaults {
  std::uint64_t latency_milliseconds = 0;
  CallFailure before = {};  // the call does nothing
  CallFailure after = {};   // the call does its work
  // The limits of a page of a Query or a Scan, at least 1.
  std::optional<std::uint32_t> page_items = {};
  std::optional<std::size_t> page_bytes = {};
  std::set<std::size_t> unprocessed = {};  // positions in Call::items
};

// Returns the faults of `call` that the decisions describe.
CallFaults FaultsOf(const Call& call, const std::vector<SimulatedDecision>& decisions);

}  // namespace dolmen::database
