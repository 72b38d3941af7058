// How the demo looks: 100 columns of text on standard output, a progress bar on standard error.

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

// The line above everything else.
void PrintTitle(const std::string& title, const std::string& place);

// Opens the part of one access pattern: its number and name, and the requests it makes, in
// DynamoDB's words; lines that begin with a blank go on with the one before.
void PrintStep(std::string_view number, std::string_view name,
               const std::vector<std::string>& requests);

// What came back: aligned columns, the last of which is cut at the edge.
void PrintRows(const Rows& rows);

// Something about the result, and how long it took.
void PrintNote(const std::string& note);
void PrintTook(const std::string& what, std::chrono::nanoseconds took);

std::string FormatDuration(std::chrono::nanoseconds duration);  // "850 ns", "12.3 us", "1.2 s"
std::string FormatCount(std::uint64_t count);                   // "10,000"

// What `call` returns, and how long it took.
template <typename Call>
auto Timed(Call call, std::chrono::nanoseconds* took) {
  const auto start = std::chrono::steady_clock::now();
  auto result = call();
  *took = std::chrono::steady_clock::now() - start;
  return result;
}

// A bar that fills up while something long happens; silent unless standard error is a terminal.
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
