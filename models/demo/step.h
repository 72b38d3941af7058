// Prints one access pattern: its requests, its result, the capacity consumed, and the duration.

#pragma once

#include <dolmen/entity.h>

#include <string>
#include <string_view>

#include "models/demo/print.h"

namespace dolmen::demo {

struct Step {
  std::string_view number = {};  // "AP1"; "" = no number
  std::string_view name = {};
};

// Prints the requests, the capacity that they consumed in total, and the duration.
void PrintRequests(const std::vector<RequestTrace>& requests, std::chrono::nanoseconds took);

// Runs `run`, which returns a Result. On success, prints the Rows that `show` builds from the
// Result's value. Otherwise returns the Result's error.
template <typename Run, typename Show>
Status ShowStep(const RequestLog& log, const Step& step, Run run, Show show) {
  log.Take();
  std::chrono::nanoseconds took{};
  const auto result = Timed(run, &took);
  PrintStep(step.number, step.name, {});
  if (!result.ok()) return result.status();
  PrintRows(show(*result));
  PrintRequests(log.Take(), took);
  return {};
}

// Runs `run`, which returns a Status, and prints whether it succeeded. Some steps of the demo show
// that the model rejects a request, so an error does not end the demo.
template <typename Run>
void ShowOutcome(const RequestLog& log, const Step& step, Run run) {
  log.Take();
  std::chrono::nanoseconds took{};
  const Status status = Timed(run, &took);
  PrintStep(step.number, step.name, {});
  PrintRows({{status.ok() ? "done" : "refused: " + status.message()}});
  PrintRequests(log.Take(), took);
}

}  // namespace dolmen::demo
