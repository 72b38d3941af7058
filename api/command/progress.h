// A progress line on the terminal.

#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace dolmen::command {

// The progress of a command.
struct ProgressState {
  std::uint64_t items = 0;
  std::optional<std::uint64_t> bytes = {};  // read or written
  std::optional<double> fraction = {};      // 0 to 1; nothing: unknown
};

// Returns a line of at most `columns` columns. `start` is the state at the start, which is not zero
// for a resumed command. Example:
//   importing  [#####-----]  50%  1,000 items  500/s  12 MB  0:02 left
std::string DrawProgress(const std::string& doing, const ProgressState& start,
                         const ProgressState& now, std::chrono::milliseconds elapsed,
                         std::size_t columns);

// A line that is drawn to standard error a few times per second, if that is a terminal. Not
// thread-safe.
class ProgressLine {
 public:
  explicit ProgressLine(std::string doing, const ProgressState& start = {});
  ~ProgressLine();  // clears the line
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // Updates the line. It is cheap enough to be called for each item.
  void Update(const ProgressState& now);

  // Prints a line to standard error, above the progress line. Prints the line even if standard
  // error is not a terminal.
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
