#include "models/demo/print.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <regex>
#include <utility>

namespace dolmen::demo {
namespace {

constexpr std::size_t kColumns = 100;
constexpr std::size_t kBarColumns = 40;

// Returns the text in bold if standard output is a terminal.
std::string Bold(std::string_view text) {
  static const bool shown = isatty(STDOUT_FILENO) == 1;
  if (!shown) return std::string(text);
  return "\033[1m" + std::string(text) + "\033[0m";
}

std::string Padded(std::string text, std::size_t columns) {
  text.resize(std::max(text.size(), columns), ' ');
  return text;
}

std::string Cut(std::string text, std::size_t columns) {
  if (text.size() > columns) text.replace(columns - 3, std::string::npos, "...");
  return text;
}

// Formats a row. Does not pad the last cell, so that no line ends in blanks.
std::string Line(const std::vector<std::string>& row, const std::vector<std::size_t>& widths) {
  std::string line(4, ' ');
  for (std::size_t i = 0; i < row.size(); ++i) {
    line += i + 1 < row.size() ? Padded(row[i], widths[i] + 2) : row[i];
  }
  return Cut(line, kColumns);
}

}  // namespace

void PrintTitle(std::string_view title) {
  std::cout << "\n\n" << Bold(title) << '\n' << std::string(kColumns, '=') << '\n';
}

void PrintStep(std::string_view number, std::string_view name) {
  std::cout << '\n' << Bold(Padded(std::string(number), 5)) << Bold(name) << '\n';
}

std::string FormatRows(const Rows& unstable) {
  Rows rows = unstable;
  for (auto& row : rows) {
    for (std::string& cell : row) cell = Stable(std::move(cell));
  }
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const auto& row : rows) text += Line(row, widths) + '\n';
  return text;
}

std::string Shortened(std::string line) { return Cut(Stable(std::move(line)), kColumns); }

std::string Stable(std::string text) {
  static const std::regex ulid("\\b(0[0-9A-HJKMNP-TV-Z]{9})[0-9A-HJKMNP-TV-Z]{16}\\b");
  static const std::regex uuid("\\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\\b");
  static const std::regex secret("\\b[0-9a-f]{32}\\b");
  static const std::regex shard("(TIER#[a-z]+#|RATELIMIT#api:everybody#|GSI1PK: \"STUDENT#)[0-9]+");
  text = std::regex_replace(text, shard, "$1<shard>");
  text = std::regex_replace(text, ulid, "$1..");
  text = std::regex_replace(text, uuid, "<uuid>");
  return std::regex_replace(text, secret, "<secret>");
}

std::string FormatDuration(std::chrono::nanoseconds duration) {
  struct Unit {
    double nanoseconds;
    const char* name;
  };
  constexpr Unit kUnits[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}};
  const auto count = static_cast<double>(duration.count());
  char text[32];
  for (const Unit& unit : kUnits) {
    if (count < unit.nanoseconds) continue;
    std::snprintf(text, sizeof text, "%.3g %s", count / unit.nanoseconds, unit.name);
    return text;
  }
  return std::to_string(duration.count()) + " ns";
}

std::string FormatCount(std::uint64_t count) {
  std::string text = std::to_string(count);
  for (std::size_t end = text.size(); end > 3; end -= 3) text.insert(end - 3, 1, ',');
  return text;
}

ProgressBar::ProgressBar(std::string label, std::size_t total)
    : label_(std::move(label)), total_(total), shown_(isatty(STDERR_FILENO) == 1) {
  Add(0);
}

ProgressBar::~ProgressBar() {
  if (shown_) std::cerr << "\r\033[K" << std::flush;  // erases the bar
}

void ProgressBar::Add(std::size_t done) {
  done_ = std::min(done_ + done, total_);
  if (!shown_) return;
  const std::size_t filled = kBarColumns * done_ / std::max<std::size_t>(total_, 1);
  std::cerr << "\r  " << label_ << " [" << std::string(filled, '#')
            << std::string(kBarColumns - filled, '.') << "] " << FormatCount(done_) << " of "
            << FormatCount(total_) << std::flush;
}

}  // namespace dolmen::demo
