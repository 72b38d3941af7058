// The decisions of a simulation: the faults of each call, by the rules or by a trace to replay.

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "database/simulate/call.h"
#include "database/simulate/token_buckets.h"
#include "dolmen/clock.h"
#include "dolmen/result.h"
#include "dolmen/testing/simulate.h"
#include "engine/base/mutex.h"

namespace dolmen::database {

// Checks the policy.
// - kValidation: a rule has a chance outside 0 to 1, or an amount of 0.
Status CheckSimulateOptions(const SimulateOptions& options);

// The decisions of one open database. Thread-safe.
class Decider {
 public:
  // REQUIRES: CheckSimulateOptions(options) returns success
  explicit Decider(SimulateOptions options);

  // Returns true if no call can have a fault. Decide and Take then need not be called.
  bool is_idle() const { return is_idle_; }

  // Counts the call, decides which faults it has, and adds them to the trace. At most one of them
  // is an error, and it is the last.
  std::vector<SimulatedDecision> Decide(const Call& call, Timestamp now);

  // Returns true if Take needs the capacity that calls consume.
  bool limits_calls() const { return limits_calls_; }
  // Takes the capacity that a call has consumed (TokenBuckets::Take).
  void Take(const Call& call, const std::set<std::size_t>& unprocessed,
            const std::vector<ConsumedCapacity>& consumed, Timestamp now);

  const SimulateOptions& options() const { return options_; }
  SimulatedTrace Trace() const;

 private:
  // The first five fields of a SimulatedDecision. `call` is 0 in the keys of `calls_`.
  using CallName =
      std::tuple<SimulatedOperation, std::string, std::string, std::string, std::uint64_t>;

  static CallName NameOf(const SimulatedDecision& decision);

  // Returns the faults of the call by the rules. `name` has the fields that name the call.
  std::vector<SimulatedDecision> DecideByRules(const Call& call, const SimulatedDecision& name)
      DOLMEN_REQUIRES(mutex_);
  // Adds the fault of a call that exceeds a capacity.
  void AddThrottling(const Call& call, const SimulatedDecision& name, Timestamp now,
                     std::vector<SimulatedDecision>* decisions) DOLMEN_REQUIRES(mutex_);
  // Counts a call that matches the rule. Returns true if the rule affects the call.
  bool CountMatch(std::size_t rule) DOLMEN_REQUIRES(mutex_);

  const SimulateOptions options_;
  const bool limits_calls_;
  const bool is_idle_;
  std::map<CallName, std::vector<SimulatedDecision>> replay_;
  mutable Mutex mutex_;
  std::map<CallName, std::uint64_t> calls_ DOLMEN_GUARDED_BY(mutex_);
  std::vector<std::uint64_t> matches_ DOLMEN_GUARDED_BY(mutex_);  // for each rule
  TokenBuckets buckets_ DOLMEN_GUARDED_BY(mutex_);
  SimulatedTrace trace_ DOLMEN_GUARDED_BY(mutex_);
};

}  // namespace dolmen::database
