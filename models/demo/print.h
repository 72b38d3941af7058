// Output of the demo: 100 columns of text on standard output, a progress bar on standard error.

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

// Prints the title line of a model and its database's location.
void PrintTitle(const std::string& title, const std::string& place);

// Prints the heading of one access pattern: its number, its name, and its requests in DynamoDB's
// syntax. A request that begins with a blank continues the previous line.
void PrintStep(std::string_view number, std::string_view name,
               const std::vector<std::string>& requests);

// Prints a result as aligned columns. Cuts lines at the right edge.
void PrintRows(const Rows& rows);

// Print a remark (PrintNote), and a remark with the time that a call took (PrintTook).
void PrintNote(const std::string& note);
void PrintTook(const std::string& what, std::chrono::nanoseconds took);

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
