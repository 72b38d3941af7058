// How the commands show things to people.

#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dolmen::command {

std::string CountText(std::uint64_t count);        // 1,234,567
std::string BytesText(std::uint64_t bytes);        // 512 B, 1.5 KB, 270 MB; of 1000 bytes each
std::string DurationText(std::chrono::seconds s);  // 0:07, 1:02:03

// "1 item", "2 items": of things whose plural has an s.
std::string CountText(std::uint64_t count, std::string_view thing);

// The text with its control characters written out (\n, \x1b), so that data can't move the cursor.
std::string Printable(std::string_view text);

// How many columns a terminal needs for UTF-8 text of characters that are one column wide.
std::size_t ColumnsOf(std::string_view text);

// Rows whose cells stand below each other.
class TextTable {
 public:
  explicit TextTable(std::vector<std::string> header) { rows_.push_back(std::move(header)); }

  // With as many cells as the header has, or fewer.
  void Add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  // The cells of that column end below each other, as numbers should.
  void AlignRight(std::size_t column) { right_.push_back(column); }

  // What was added since the last time, as lines, each with its end; the header is above the first
  // ones, by which the columns are as wide as they stay.  No cell but a line's last makes others
  // start behind column `widest` of its own: a longer one pushes only what follows it.
  std::string ToString(std::size_t widest = 60);

 private:
  void Append(const std::vector<std::string>& row, std::string* out) const;

  std::vector<std::vector<std::string>> rows_;
  std::vector<std::size_t> right_;
  std::vector<std::size_t> widths_;
};

}  // namespace dolmen::command
