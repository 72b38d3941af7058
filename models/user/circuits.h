// Circuit breakers: a service that fails again and again is left alone for a while.

#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>

#include "models/user/entities.h"

namespace dolmen::user {

struct CircuitPolicy {
  std::int64_t failures_max = 5;  // as many open the circuit
  std::chrono::seconds reset_timeout = std::chrono::seconds(30);
};

struct CircuitState {
  bool is_open = false;  // do not call the service
  std::int64_t failures = 0;
  Timestamp resets_at = {};  // when the failures are forgotten; 1970 if there are none

  friend bool operator==(const CircuitState&, const CircuitState&) = default;
};

// A handle; callable from any number of threads.  Failures are forgotten, and an open circuit is
// closed again, when the service works or reset_timeout has passed since the last failure, rounded
// up to whole seconds.
// kValidation: a service's name is empty.
class Circuits {
 public:
  explicit Circuits(EntityTable table) : table_(std::move(table)) {}

  // GetItem CIRCUIT#<service>/STATE.
  Result<CircuitState> Get(const std::string& service, const CircuitPolicy& policy) const;

  // UpdateItem CIRCUIT#<service>/STATE: ADD failures 1, SET ttl.
  Result<CircuitState> RecordFailure(const std::string& service, const CircuitPolicy& policy) const;

  // DeleteItem CIRCUIT#<service>/STATE.  Success, too, if there were no failures.
  Status RecordSuccess(const std::string& service) const;

 private:
  EntityTable table_;
};

}  // namespace dolmen::user
