// Formats of numbers, texts and tables for people.

#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dolmen::command {

std::string CountText(std::uint64_t count);         // 1,234,567
std::string FixedText(double value, int decimals);  // 1.50 for 1.5 and 2, in any locale
std::string BytesText(std::uint64_t bytes);         // 512 B, 1.5 KB, 270 MB; 1 KB = 1000 bytes
std::string DurationText(std::chrono::seconds s);   // 0:07, 1:02:03

// Returns "1 item", "2 items", for nouns whose plural ends in s.
std::string CountText(std::uint64_t count, std::string_view thing);

// Returns the text with its control characters escaped (\n, \x1b), so that data cannot move the
// cursor.
std::string Printable(std::string_view text);

// Returns the width of UTF-8 text on a terminal, in columns. Assumes that each character is one
// column wide.
std::size_t ColumnsOf(std::string_view text);

// A table of text, printed in aligned columns.
class TextTable {
 public:
  explicit TextTable(std::vector<std::string> header) { rows_.push_back(std::move(header)); }

  // Adds a row with at most as many cells as the header.
  void Add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  // Aligns a column at its right end, for numbers.
  void AlignRight(std::size_t column) { right_.push_back(column); }

  // Returns the rows that were added since the last call, one line each. The first call includes
  // the header and fixes the widths of the columns, at most `widest` each. A cell that is wider
  // than its column moves the cells to its right.
  std::string ToString(std::size_t widest = 60);

 private:
  void Append(const std::vector<std::string>& row, std::string* out) const;

  std::vector<std::vector<std::string>> rows_;
  std::vector<std::size_t> right_;
  std::vector<std::size_t> widths_;
};

}  // namespace dolmen::command
