// Texts of the demo: 100 columns on standard output, and a progress bar on standard error.

#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dolmen::demo {

using Rows = std::vector<std::vector<std::string>>;

// Prints the title line of a model.
void PrintTitle(std::string_view title);

// Prints the heading of one access pattern: its number and its name.
void PrintStep(std::string_view number, std::string_view name);

// Formats a result as aligned columns, with Stable texts. Cuts lines at the right edge.
std::string FormatRows(const Rows& unstable);

// Returns the Stable text, cut at the right edge.
std::string Shortened(std::string line);

// Replaces random ids, so that two runs print the same text: a ULID by its time, as in 01KP8ARF30..,
// a UUID by <uuid>, a secret of 32 hexadecimal digits by <secret>, and a random shard by <shard>.
std::string Stable(std::string text);

std::string FormatDuration(std::chrono::nanoseconds duration);  // "850 ns", "12.3 us", "1.2 s"
std::string FormatCount(std::uint64_t count);                   // "10,000"

// Returns the result of `call`, and its duration in `*took`.
template <typename Call>
auto Timed(Call call, std::chrono::nanoseconds* took) {
  const auto start = std::chrono::steady_clock::now();
  auto result = call();
  *took = std::chrono::steady_clock::now() - start;
  return result;
}

// A progress bar. Prints nothing unless standard error is a terminal.
class ProgressBar {
 public:
  ProgressBar(std::string label, std::size_t total);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void Add(std::size_t done);

 private:
  std::string label_;
  std::size_t total_;
  std::size_t done_ = 0;
  bool shown_;
};

}  // namespace dolmen::demo
