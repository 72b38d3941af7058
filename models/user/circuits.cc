#include "models/user/circuits.h"

namespace dolmen::user {
namespace {

// An item expires at the end of the second that its ttl names, so the reset is one second after the
// ttl.
constexpr std::chrono::seconds kLastSecond(1);

CircuitState StateOf(const Circuit& circuit, const CircuitPolicy& policy) {
  return {.is_open = circuit.failures >= policy.failures_max,
          .failures = circuit.failures,
          .resets_at = circuit.expires_at + kLastSecond};
}

}  // namespace

Result<CircuitState> Circuits::Get(const std::string& service, const CircuitPolicy& policy) const {
  const Result<std::optional<Circuit>> found = table_.Find(Circuit{.service = service});
  if (!found.ok()) return found.status();
  if (!*found) return CircuitState();
  return StateOf(**found, policy);
}

Result<CircuitState> Circuits::RecordFailure(const std::string& service,
                                             const CircuitPolicy& policy) const {
  const Timestamp resets_at =
      std::chrono::ceil<std::chrono::seconds>(table_.Now()) + policy.reset_timeout;
  const Result<Circuit> circuit = table_.Update(Circuit{.service = service})
                                      .Add<&Circuit::failures>(1)
                                      .Set<&Circuit::expires_at>(resets_at - kLastSecond)
                                      .OrCreate()
                                      .Commit();
  if (!circuit.ok()) return circuit.status();
  return StateOf(*circuit, policy);
}

Status Circuits::RecordSuccess(const std::string& service) const {
  Status removed = table_.Remove(Circuit{.service = service});
  return removed.code() == StatusCode::kResourceNotFound ? Status() : removed;
}

}  // namespace dolmen::user
