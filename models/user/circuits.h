// Circuit breakers: after several failures a service is not called for a while.

#pragma once

#include "models/user/entities.h"

namespace dolmen::user {

struct CircuitPolicy {
  std::int64_t failures_max = 5;  // this many failures open the circuit
  std::chrono::seconds reset_timeout = std::chrono::seconds(30);
};

// - kClosed: the service may be called.
// - kOpen: the service must not be called. It has failed failures_max times, the last time less than
//   reset_timeout ago.
// - kHalfOpen: reset_timeout has passed. One caller may try the service.
enum class CircuitPhase : std::uint8_t { kClosed, kOpen, kHalfOpen };

// A handle to the circuits in the table. Thread-safe.
//
// A success closes the circuit. A failure of the trial opens it again. If no program calls the service
// for a second reset_timeout, the circuit expires and is closed.
//
// Errors besides the database's own:
// - kValidation: a service's name is empty.
struct Circuits {
  EntityTable table;

  // Returns the phase of a service's circuit. GetItem CIRCUIT#<service>/STATE.
  Result<CircuitPhase> GetPhase(const std::string& service, const CircuitPolicy& policy) const {
    return table.Find(Circuit{.service = service}).transform([&](const auto& found) {
      return PhaseOf(found, policy);
    });
  }

  // Returns true if the caller may call the service now. It must then call RecordFailure or
  // RecordSuccess. Of several callers of a half-open circuit, one gets true; if it records nothing,
  // another one after reset_timeout. GetItem CIRCUIT#<service>/STATE; if the circuit is half-open,
  // UpdateItem: SET retryAt, with a condition on the version.
  Result<bool> MayCall(const std::string& service, const CircuitPolicy& policy) const {
    return table.Find(Circuit{.service = service}).and_then([&](const auto& found) -> Result<bool> {
      const CircuitPhase phase = PhaseOf(found, policy);
      if (phase != CircuitPhase::kHalfOpen) return phase == CircuitPhase::kClosed;
      // A conflict means that another caller has changed the circuit.
      const auto claim = table.Update(*found, DelayTrial(policy).IfVersion(found->version));
      const bool is_late = claim.status().code() == StatusCode::kTransactionConflict;
      return is_late ? Result(false) : claim.status().and_return(true);
    });
  }

  // Counts a failure and returns the failures. UpdateItem CIRCUIT#<service>/STATE: ADD failures 1,
  // SET retryAt, ttl.
  Result<Circuit> RecordFailure(const std::string& service, const CircuitPolicy& policy) const {
    return table.Update(Circuit{.service = service},
                        DelayTrial(policy).Add<&Circuit::failures>(1).OrCreate());
  }

  // Forgets all failures. Succeeds if there are none. BatchWriteItem of one deletion.
  Status RecordSuccess(const std::string& service) const {
    return table.BatchRemove<Circuit>({{.service = service}});
  }

  CircuitPhase PhaseOf(const std::optional<Circuit>& circuit, const CircuitPolicy& policy) const {
    if (!circuit || circuit->failures < policy.failures_max) return CircuitPhase::kClosed;
    return table.Now() < circuit->retry_at ? CircuitPhase::kOpen : CircuitPhase::kHalfOpen;
  }

  // Returns the changes that delay the next trial by the timeout. The item expires a second timeout
  // later.
  Changes<Circuit> DelayTrial(const CircuitPolicy& policy) const {
    const Timestamp retry_at = table.Now() + policy.reset_timeout;
    return Changes<Circuit>().Set<&Circuit::retry_at>(retry_at).Set<&Circuit::expires_at>(
        retry_at + policy.reset_timeout);
  }
};

}  // namespace dolmen::user
