#include "dolmen/entity/request_log.h"

#include <memory>
#include <mutex>
#include <utility>

namespace dolmen {

Capacity RequestTrace::total() const {
  Capacity sum;
  for (const ConsumedCapacity& consumed : consumed_capacity) sum += consumed.total;
  return sum;
}

struct RequestLog::State {
  std::mutex mutex;
  std::vector<RequestTrace> traces;
};

RequestLog::RequestLog() : state_(std::make_shared<State>()) {}

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
