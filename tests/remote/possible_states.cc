#include "tests/remote/possible_states.h"

#include <algorithm>
#include <utility>

namespace dolmen::test {
namespace {

bool SaysNotExecuted(const Status& status) {
  return status.message().find("not executed") != std::string::npos;
}

WriteEnd EndOfCanceled(const Status& status) {
  const auto has_failed = [](const Status& reason) {
    return reason.code() == StatusCode::kConditionalCheckFailed;
  };
  return std::ranges::any_of(status.reasons(), has_failed) ? WriteEnd::kConditionFailed
                                                           : WriteEnd::kNotDone;
}

}  // namespace

WriteEnd EndOf(const Status& status) {
  switch (status.code()) {
    case StatusCode::kOk:
      return WriteEnd::kDone;
    case StatusCode::kConditionalCheckFailed:
      return WriteEnd::kConditionFailed;
    case StatusCode::kTransactionCanceled:
      return EndOfCanceled(status);
    case StatusCode::kThrottling:
    case StatusCode::kProvisionedThroughputExceeded:
    case StatusCode::kRequestLimitExceeded:
      return WriteEnd::kNotDone;
    case StatusCode::kServiceUnavailable:
      return SaysNotExecuted(status) ? WriteEnd::kNotDone : WriteEnd::kUnknown;
    case StatusCode::kInternalServerError:
      return WriteEnd::kUnknown;
    default:
      return WriteEnd::kWrong;
  }
}

bool PossibleStates::Write(WriteEnd end, const Condition& condition, const Effect& effect) {
  std::set<ItemState> after;
  for (const ItemState& state : states_) {
    const bool holds = condition(state);
    if (holds && (end == WriteEnd::kDone || end == WriteEnd::kUnknown)) after.insert(effect(state));
    const bool may_stay = end == WriteEnd::kNotDone || end == WriteEnd::kUnknown ||
                          (end == WriteEnd::kConditionFailed && !holds);
    if (may_stay) after.insert(state);
  }
  if (after.empty()) return false;
  states_ = std::move(after);
  return true;
}

bool PossibleStates::Read(const ItemState& seen) {
  if (!states_.contains(seen)) return false;
  states_ = {seen};
  return true;
}

}  // namespace dolmen::test
