// A line on the terminal that says how far something is.

#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace dolmen::command {

struct ProgressState {
  std::uint64_t items = 0;
  std::optional<std::uint64_t> bytes = {};  // read or written
  std::optional<double> fraction = {};      // 0 to 1; nothing: nobody knows
};

// "importing  [#####-----]  50%  1,000 items  500/s  12 MB  0:02 left", in so many columns or
// fewer; `start` is where it began, which is not at 0 if it goes on with something.
std::string DrawProgress(const std::string& doing, const ProgressState& start,
                         const ProgressState& now, std::chrono::milliseconds elapsed,
                         std::size_t columns);

// Draws to standard error, if that is a terminal, some times a second; else draws nothing.
// For one thread.
class ProgressLine {
 public:
  explicit ProgressLine(std::string doing, const ProgressState& start = {});
  ~ProgressLine();  // leaves an empty line behind
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // Cheap enough to be called for each item.
  void Update(const ProgressState& now);

  // A line that stays, above the one that is drawn; to standard error, whatever that is.
  void Print(const std::string& line);

 private:
  void Clear();

  using Clock = std::chrono::steady_clock;

  std::string doing_;
  ProgressState start_;
  Clock::time_point started_ = Clock::now();
  Clock::time_point next_drawing_;
  bool terminal_ = false;
  bool drawn_ = false;
};

}  // namespace dolmen::command
