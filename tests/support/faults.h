// Faults of a simulation (dolmen/testing/simulate.h), for tests that repeat or check the calls that
// fail.

#pragma once

#include <algorithm>
#include <vector>

#include "dolmen/result.h"
#include "dolmen/testing/simulate.h"

namespace dolmen::test {

// Returns true if the write may have taken effect although it failed.
inline bool IsUnclear(const Status& status) {
  return status.code() == StatusCode::kInternalServerError ||
         status.code() == StatusCode::kServiceUnavailable;
}

// Return true if the error is a fault of a simulation, or a conflict with a concurrent write.
inline bool IsFault(StatusCode code) {
  switch (code) {
    case StatusCode::kProvisionedThroughputExceeded:
    case StatusCode::kThrottling:
    case StatusCode::kRequestLimitExceeded:
    case StatusCode::kTransactionConflict:
    case StatusCode::kTransactionInProgress:
    case StatusCode::kInternalServerError:
    case StatusCode::kServiceUnavailable:
      return true;
    default:
      return false;
  }
}
inline bool IsFault(const Status& status) {
  return IsFault(status.code()) || std::ranges::any_of(status.reasons(), [](const Status& reason) {
           return IsFault(reason.code());
         });
}

// Returns rules with every fault, each with the chance. Amounts are 1 to 100.
inline std::vector<SimulateRule> AllFaults(double chance) {
  std::vector<SimulateRule> rules;
  for (int fault = 0; fault <= static_cast<int>(SimulatedFault::kPageBytes); ++fault) {
    for (const FaultMoment moment : {FaultMoment::kBefore, FaultMoment::kAfter}) {
      rules.push_back({.fault = static_cast<SimulatedFault>(fault),
                       .moment = moment,
                       .chance = chance,
                       .amount_min = 1,
                       .amount_max = 100});
    }
  }
  return rules;
}

}  // namespace dolmen::test
