// Circuit breakers: after several failures a service is not called for a while.

#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>

#include "models/user/entities.h"

namespace dolmen::user {

struct CircuitPolicy {
  std::int64_t failures_max = 5;  // this many failures open the circuit
  std::chrono::seconds reset_timeout = std::chrono::seconds(30);
};

struct CircuitState {
  bool is_open = false;  // true = do not call the service
  std::int64_t failures = 0;
  Timestamp resets_at = {};  // when the failures are forgotten; 1970 = no failures

  friend bool operator==(const CircuitState&, const CircuitState&) = default;
};

// A handle to the circuits in the table. Thread-safe.
//
// A circuit is open while its service has at least failures_max failures. A success sets the
// failures to 0, which closes the circuit. The failures are also set to 0 when reset_timeout has
// passed since the last failure, rounded up to a whole second.
//
// Errors besides the database's own:
// - kValidation: a service's name is empty.
class Circuits {
 public:
  explicit Circuits(EntityTable table) : table_(std::move(table)) {}

  // Returns the state of a service's circuit. GetItem CIRCUIT#<service>/STATE.
  Result<CircuitState> Get(const std::string& service, const CircuitPolicy& policy) const;

  // Counts a failure. UpdateItem CIRCUIT#<service>/STATE: ADD failures 1, SET ttl.
  Result<CircuitState> RecordFailure(const std::string& service, const CircuitPolicy& policy) const;

  // Sets the failures to 0. Succeeds if there are no failures. DeleteItem CIRCUIT#<service>/STATE.
  Status RecordSuccess(const std::string& service) const;

 private:
  EntityTable table_;
};

}  // namespace dolmen::user
