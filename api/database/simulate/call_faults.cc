#include "database/simulate/call_faults.h"

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>

namespace dolmen::database {
namespace {

using internal::ConnectionFault;

// Returns the error `throttled` of a call whose reason no capacity gives.
Status ThrottledByRule(const Call& call, const Status& throttled, std::string_view limit) {
  return throttled.WithThrottlingReasons(
      {ReasonOf(call.operation, limit, call.items[0].table, call.charged_index)});
}

// Returns the error of the fault for an operation that is not a transaction. Returns a success if
// the fault is no error.
Status ErrorOf(const Call& call, SimulatedFault fault) {
  switch (fault) {
    case SimulatedFault::kProvisionedThroughputExceeded:
      return ThrottledByRule(call, Status::ProvisionedThroughputExceeded(),
                             "ProvisionedThroughputExceeded");
    case SimulatedFault::kThrottling:
      return ThrottledByRule(call, Status::Throttling(), "KeyRangeThroughputExceeded");
    case SimulatedFault::kRequestLimitExceeded:
      return ThrottledByRule(call, Status::RequestLimitExceeded(), "AccountLimitExceeded");
    case SimulatedFault::kTransactionConflict:
      return Status::TransactionConflict();
    case SimulatedFault::kTransactionInProgress:
      return Status::TransactionInProgress();
    case SimulatedFault::kInternalServerError:
      return Status::InternalServerError();
    case SimulatedFault::kServiceUnavailable:
      return Status::ServiceUnavailable();
    case SimulatedFault::kDroppedConnection:
      return Status::ServiceUnavailable().WithMessage(
          "The simulation dropped the connection before the response.");
    case SimulatedFault::kHalfResponse:
      return Status::ServiceUnavailable().WithMessage(
          "The simulation dropped the connection after half of the response.");
    default:
      return {};
  }
}

// Returns the error of a call. If the decision names items, the call is a transaction, and the error
// is the reason for which it is canceled.
Status ErrorOf(const Call& call, const SimulatedDecision& decision) {
  Status error = ErrorOf(call, decision.fault);
  if (!decision.throttling_reasons.empty()) {
    error = error.WithThrottlingReasons(decision.throttling_reasons);
  }
  if (error.ok() || decision.items.empty()) return error;
  std::vector<Status> reasons(call.items.size());
  for (const std::size_t item : decision.items) {
    if (item < reasons.size()) reasons[item] = error;
  }
  return Status::TransactionCanceled(std::move(reasons));
}

ConnectionFault ConnectionFaultOf(SimulatedFault fault) {
  if (fault == SimulatedFault::kDroppedConnection) return ConnectionFault::kDropped;
  return fault == SimulatedFault::kHalfResponse ? ConnectionFault::kHalfResponse
                                                : ConnectionFault::kNone;
}

// Returns the smaller limit. A trace that a person has written may have a limit of 0.
template <typename Limit>
Limit Smaller(const std::optional<Limit>& limit, std::uint64_t amount) {
  constexpr auto kMax = std::numeric_limits<Limit>::max();
  const auto other = static_cast<Limit>(std::clamp<std::uint64_t>(amount, 1, kMax));
  return std::min(limit.value_or(kMax), other);
}

void Apply(const Call& call, const SimulatedDecision& decision, CallFaults* faults) {
  switch (decision.fault) {
    case SimulatedFault::kLatency:
      faults->latency_milliseconds += decision.amount;
      return;
    case SimulatedFault::kPageItems:
      faults->page_items = Smaller(faults->page_items, decision.amount);
      return;
    case SimulatedFault::kPageBytes:
      faults->page_bytes = Smaller(faults->page_bytes, decision.amount);
      return;
    case SimulatedFault::kPartialBatch:
      faults->unprocessed.insert(decision.items.begin(), decision.items.end());
      return;
    default:
      // A trace that a person has written may lack the moment of kHalfResponse.
      const bool is_after =
          decision.moment == FaultMoment::kAfter || decision.fault == SimulatedFault::kHalfResponse;
      CallFailure& failure = is_after ? faults->after : faults->before;
      if (failure.error.ok()) {
        failure = {ErrorOf(call, decision), ConnectionFaultOf(decision.fault)};
      }
  }
}

}  // namespace

CallFaults FaultsOf(const Call& call, const std::vector<SimulatedDecision>& decisions) {
  CallFaults faults;
  for (const SimulatedDecision& decision : decisions) Apply(call, decision, &faults);
  // DynamoDB fails if it processes no item of a batch.
  const std::size_t left = faults.unprocessed.size();
  if (faults.before.error.ok() && left > 0 && left >= call.items.size()) {
    faults.before.error = ErrorOf(call, SimulatedFault::kProvisionedThroughputExceeded);
  }
  return faults;
}

}  // namespace dolmen::database
