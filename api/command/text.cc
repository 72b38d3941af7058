#include "command/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>

namespace dolmen::command {
namespace {

// Formats a value with one decimal place if it is below ten, otherwise with none.
std::string Scaled(double value, std::string_view unit) {
  return FixedText(value, value < 9.95 ? 1 : 0).append(" ").append(unit);
}

bool IsControl(unsigned char c) { return c < 0x20 || c == 0x7F; }

// Returns true if the character at position `i` is from U+0080 to U+009F. Terminals interpret these
// characters as commands.
bool IsC1(std::string_view text, std::size_t i) {
  return static_cast<unsigned char>(text[i]) == 0xC2 && i + 1 < text.size() &&
         static_cast<unsigned char>(text[i + 1]) < 0xA0;
}

std::string Hex(unsigned char c) {
  std::array<char, 8> text{};
  std::snprintf(text.data(), text.size(), "\\x%02x", c);
  return text.data();
}

void Pad(std::size_t columns, std::string* out) { out->append(columns, ' '); }

}  // namespace

std::string FixedText(double value, int decimals) {
  std::array<char, 400> text;  // the greatest double has 309 digits
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value,
                                 std::chars_format::fixed, decimals);
  return std::string(text.data(), end.ptr);
}

std::string CountText(std::uint64_t count) {
  std::string text = std::to_string(count);
  for (std::size_t i = text.size(); i > 3;) text.insert(i -= 3, 1, ',');
  return text;
}

std::string CountText(std::uint64_t count, std::string_view thing) {
  return CountText(count).append(" ").append(thing).append(count == 1 ? "" : "s");
}

std::string BytesText(std::uint64_t bytes) {
  if (bytes < 1000) return std::to_string(bytes) + " B";
  double value = static_cast<double>(bytes);
  std::string_view unit;
  for (const std::string_view larger : {"KB", "MB", "GB", "TB"}) {
    if (value < 999.5) break;
    value /= 1000;
    unit = larger;
  }
  return Scaled(value, unit);
}

std::string DurationText(std::chrono::seconds s) {
  const auto all = std::max<std::chrono::seconds::rep>(s.count(), 0);
  std::array<char, 32> text{};
  const long long hours = all / 3600;
  const int minutes = static_cast<int>(all / 60 % 60);
  const int seconds = static_cast<int>(all % 60);
  if (hours > 0) {
    std::snprintf(text.data(), text.size(), "%lld:%02d:%02d", hours, minutes, seconds);
  } else {
    std::snprintf(text.data(), text.size(), "%d:%02d", minutes, seconds);
  }
  return text.data();
}

std::string Printable(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c == '\n') {
      out.append("\\n");
    } else if (c == '\t') {
      out.append("\\t");
    } else if (IsControl(c)) {
      out.append(Hex(c));
    } else if (IsC1(text, i)) {
      out.append(Hex(static_cast<unsigned char>(text[++i])));
    } else {
      out.push_back(text[i]);
    }
  }
  return out;
}

std::size_t ColumnsOf(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

void TextTable::Append(const std::vector<std::string>& row, std::string* out) const {
  for (std::size_t i = 0; i < row.size(); ++i) {
    const std::size_t columns = ColumnsOf(row[i]);
    const std::size_t padding = widths_[i] > columns ? widths_[i] - columns : 0;
    const bool right = std::ranges::count(right_, i) != 0;
    if (right) Pad(padding, out);
    out->append(row[i]);
    if (i + 1 == row.size()) break;
    if (!right) Pad(padding, out);
    Pad(2, out);
  }
  while (!out->empty() && out->back() == ' ') out->pop_back();
  out->push_back('\n');
}

std::string TextTable::ToString(std::size_t widest) {
  if (widths_.empty()) {
    widths_.resize(rows_.front().size(), 0);
    for (const auto& row : rows_) {
      for (std::size_t i = 0; i < row.size(); ++i) {
        widths_[i] = std::max(widths_[i], std::min(ColumnsOf(row[i]), widest));
      }
    }
  }
  std::string out;
  for (const auto& row : rows_) Append(row, &out);
  rows_.clear();
  return out;
}

}  // namespace dolmen::command
