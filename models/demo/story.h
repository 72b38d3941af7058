// The story of one model. It prints each access pattern with its requests, its result, the consumed
// capacity and the time, to standard output and to the demo's page.

#pragma once

#include <dolmen/database.h>
#include <dolmen/entity/describe.h>
#include <dolmen/entity/request_log.h>

#include <chrono>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "models/demo/page.h"
#include "models/demo/print.h"

namespace dolmen::demo {

// The heading of an access pattern.
struct Step {
  std::string_view number = {};  // "AP1"; "" = no number
  std::string_view name = {};
};

// Borrows the page, which must outlive the story. Not thread-safe.
class Story {
 public:
  // Prints the title.
  Story(Page* page, std::string_view title);

  // Returns the observer of the table whose requests the story shows.
  RequestObserver observer() const { return log_.observer(); }

  // Prints a sentence.
  Story& Tell(std::string_view sentence);

  // Draws the table that holds the design: its partitions, and then its indexes.
  Story& Draw(const Database& database, const TableDesign& design);

  // Calls `run`, which returns a Result, and prints the Rows that `format` builds from its value. A
  // pattern that only reads is called again, so that its time is a median.
  template <typename Run, typename Format>
  Story& Show(const Step& step, Run run, Format format);

  // Calls `run`, which returns a Status or a Result, and prints whether it succeeded. A refusal does
  // not end the story, because some steps show that the model rejects a request.
  template <typename Run>
  Story& Outcome(const Step& step, Run run);

  // Prints a table of the access patterns so far: requests, units and time.
  Story& PrintCosts();

  // Ends the story with an error, unless it has ended.
  void Fail(Status status) {
    if (status_.ok()) status_ = std::move(status);
  }

  // Returns the first error of Draw, Show or Fail. After an error all methods above do nothing.
  const Status& status() const { return status_; }

 private:
  // One line of the table of costs.
  struct Cost {
    std::string pattern = {};
    std::string requests = {};
    std::string units = {};
    std::chrono::nanoseconds time = {};
    std::size_t calls = 0;  // 1 = the time is that of the only call
  };

  void Print(const std::string& text);
  void PrintHeading(const Step& step);
  // Prints the requests of the first call and their costs, and remembers the costs.
  void PrintRequests(const Step& step, const std::vector<RequestTrace>& requests,
                     std::vector<std::chrono::nanoseconds> times);

  // Returns true if the requests only read, and a further call costs little time.
  static bool MayRepeat(const std::vector<RequestTrace>& requests, std::chrono::nanoseconds took);

  template <typename Run>
  std::vector<std::chrono::nanoseconds> Repeat(std::chrono::nanoseconds first, Run run) const;

  RequestLog log_;
  Page* page_;
  std::vector<Cost> costs_;
  Status status_;
};

template <typename Run>
std::vector<std::chrono::nanoseconds> Story::Repeat(std::chrono::nanoseconds first, Run run) const {
  constexpr std::size_t kCallsMax = 101;
  std::vector<std::chrono::nanoseconds> times = {first};
  while (times.size() < kCallsMax) static_cast<void>(Timed(run, &times.emplace_back()));
  log_.Take();
  return times;
}

template <typename Run, typename Format>
Story& Story::Show(const Step& step, Run run, Format format) {
  if (!status_.ok()) return *this;
  log_.Take();
  std::chrono::nanoseconds took{};
  const auto result = Timed(run, &took);
  const std::vector<RequestTrace> requests = log_.Take();
  PrintHeading(step);
  if (status_ = result.status(); !status_.ok()) return *this;
  std::vector<std::chrono::nanoseconds> times = {took};
  if (MayRepeat(requests, took)) times = Repeat(took, run);
  Print(FormatRows(format(*result)));
  PrintRequests(step, requests, std::move(times));
  return *this;
}

template <typename Run>
Story& Story::Outcome(const Step& step, Run run) {
  if (!status_.ok()) return *this;
  log_.Take();
  std::chrono::nanoseconds took{};
  const auto result = Timed(run, &took);
  Status status;
  if constexpr (std::is_same_v<std::remove_cvref_t<decltype(result)>, Status>) {
    status = result;
  } else {
    status = result.status();
  }
  PrintHeading(step);
  Print(FormatRows({{status.ok() ? "done" : "refused: " + status.message()}}));
  PrintRequests(step, log_.Take(), {took});
  return *this;
}

}  // namespace dolmen::demo
