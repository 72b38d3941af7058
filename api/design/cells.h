// The cells of a picture: which attributes of an item are shown, in which order, and how wide.

#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "design/arrangement.h"

namespace dolmen::picture {

// The widths of texts and cells in pixels.
inline constexpr int kCellPadding = 10;
inline constexpr std::size_t kValueColumnsMax = 26;

// Return the width of a text in the font of values, and of names.
int ValueWidth(std::size_t columns);
int NameWidth(std::size_t columns);

// Returns the width of a text in the bold font of kinds.
int LabelWidth(std::string_view text);

// An attribute in a cell. Both texts are truncated. A cell without a name is a gap, which keeps the
// following cells in their columns.
struct Cell {
  std::string name = {};
  std::string value = {};
  std::string whole_value = {};  // "" if `value` is not truncated
  bool is_key = false;           // a key of the table or of an index
  int width = 0;
};

// Returns the width of all cells together.
int WidthOf(const std::vector<Cell>& line);

// The cells of an item, in lines from left to right.
using CellLines = std::vector<std::vector<Cell>>;

// The cells of a section. Items of one kind have their cells in the same columns. Borrows the section
// and the options.
class SectionCells {
 public:
  // A line is at most `width` pixels wide. An item has at most `lines_max` lines; its last cell says
  // how many attributes are left out.
  SectionCells(const Arrangement& arrangement, const Section& section,
               const PictureOptions& options, int width, std::size_t lines_max);

  // Returns the cells of an entry that the section shows. At least one line.
  CellLines LinesOf(const Entry& entry) const;

 private:
  // A column: an attribute of a kind, the width that all its values need, and the number of items
  // that have it.
  struct Column {
    int width = 0;
    std::size_t count = 0;
  };
  struct KindColumns {
    std::size_t item_count = 0;
    std::map<std::string, Column> columns = {};
    std::vector<std::string> order = {};  // the columns that most items have, and then the others
    std::size_t common_count = 0;         // the number of the former
  };

  bool IsShown(const std::string& name) const;
  std::size_t RankOf(const std::string& kind, const std::string& name) const;
  void Count(const Entry& entry);
  void Order(const std::string& name, KindColumns* kind) const;
  Cell CellOf(const std::string& name, const AttributeValue& value, int width) const;

  const Section& section_;
  const PictureOptions& options_;
  const int width_;
  const std::size_t lines_max_;
  std::vector<std::string> keys_;  // keys of the table and of all indexes, in their order
  std::map<std::size_t, KindColumns> kinds_;
};

}  // namespace dolmen::picture
