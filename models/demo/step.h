// One access pattern as the demo shows it: what it asked of the store, what came back, what that
// consumed and how long it took.

#pragma once

#include <dolmen/entity.h>

#include <string>
#include <string_view>

#include "models/demo/print.h"

namespace dolmen::demo {

struct Step {
  std::string_view number = {};  // "AP1"; "" for what has none
  std::string_view name = {};
};

// What the requests since the log was taken last were, and what they consumed in all.
void PrintRequests(const std::vector<RequestTrace>& requests, std::chrono::nanoseconds took);

// Runs `run`, which returns a Result, and prints the Rows that `show` makes of its value.
// Returns what `run` failed with.
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

// For what returns a Status: the message is its result, as some steps show a refusal.
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
