#include "dolmen/entity/request_log.h"

#include <utility>

namespace dolmen {

Capacity RequestTrace::total() const {
  Capacity sum;
  for (const ConsumedCapacity& consumed : consumed_capacity) sum += consumed.total;
  return sum;
}

RequestObserver RequestLog::observer() const {
  return [state = state_](const RequestTrace& trace) {
    const std::lock_guard lock(state->mutex);
    state->traces.push_back(trace);
  };
}

std::vector<RequestTrace> RequestLog::Take() const {
  const std::lock_guard lock(state_->mutex);
  return std::exchange(state_->traces, {});
}

}  // namespace dolmen
