#include "command/progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "command/text.h"

namespace dolmen::command {
namespace {

constexpr std::chrono::milliseconds kBetweenDrawings{200};
constexpr std::size_t kBarColumnsMax = 30;
constexpr std::size_t kBarColumnsMin = 5;

std::size_t TerminalColumns() {
  winsize size = {};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

// Returns the text to the right of the progress bar: percentage, number of items, speed, bytes and
// remaining time.
std::string Figures(const ProgressState& start, const ProgressState& now, double seconds) {
  std::string text;
  if (now.fraction) text = "  " + std::to_string(static_cast<int>(*now.fraction * 100)) + "%";
  text.append("  ").append(CountText(now.items, "item"));
  if (seconds >= 1) {
    const double rate = static_cast<double>(now.items - start.items) / seconds;
    text.append("  ").append(CountText(static_cast<std::uint64_t>(rate))).append("/s");
  }
  if (now.bytes) text.append("  ").append(BytesText(*now.bytes));
  const double done = now.fraction.value_or(0) - start.fraction.value_or(0);
  if (seconds >= 1 && done > 0.001) {
    const double left = (1 - *now.fraction) * seconds / done;
    text.append("  ")
        .append(DurationText(std::chrono::seconds(std::llround(std::min(left, 1e9)))))
        .append(" left");
  }
  return text;
}

}  // namespace

std::string DrawProgress(const std::string& doing, const ProgressState& start,
                         const ProgressState& now, std::chrono::milliseconds elapsed,
                         std::size_t columns) {
  ProgressState shown = now;
  if (shown.fraction) shown.fraction = std::clamp(*shown.fraction, 0.0, 1.0);
  const std::string figures = Figures(start, shown, std::chrono::duration<double>(elapsed).count());
  std::string line = doing;
  const std::size_t taken = line.size() + figures.size() + 4;  // two blanks, two brackets
  if (shown.fraction && columns >= taken + kBarColumnsMin) {
    const std::size_t width = std::min(columns - taken, kBarColumnsMax);
    const auto full = static_cast<std::size_t>(*shown.fraction * static_cast<double>(width));
    line.append("  [").append(full, '#').append(width - full, '-').append("]");
  }
  return line.append(figures).substr(0, columns);
}

ProgressLine::ProgressLine(std::string doing, const ProgressState& start)
    : doing_(std::move(doing)),
      start_(start),
      next_drawing_(started_ + kBetweenDrawings),
      terminal_(::isatty(STDERR_FILENO) == 1) {}

ProgressLine::~ProgressLine() { Clear(); }

void ProgressLine::Clear() {
  if (std::exchange(drawn_, false)) std::fputs("\r\x1b[K", stderr);
}

void ProgressLine::Print(const std::string& line) {
  Clear();
  std::fprintf(stderr, "%s\n", line.c_str());
}

void ProgressLine::Update(const ProgressState& now) {
  if (!terminal_) return;
  const Clock::time_point time = Clock::now();
  if (time < next_drawing_) return;
  next_drawing_ = time + kBetweenDrawings;
  const auto elapsed = std::chrono::duration_cast<std::chrono::milliseconds>(time - started_);
  // The last column stays free, because writing to it may move a terminal to the next line.
  const std::string line = DrawProgress(doing_, start_, now, elapsed, TerminalColumns() - 1);
  std::fprintf(stderr, "\r%s\x1b[K", line.c_str());
  drawn_ = true;
}

}  // namespace dolmen::command
