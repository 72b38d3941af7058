#include "design/cells.h"

#include <algorithm>

#include "design/text.h"

namespace dolmen::picture {
namespace {

constexpr std::size_t kTipBytesMax = 400;
constexpr int kMoreWidth = 96;  // the cell that says how many attributes are left out

// Replaces the last cells by one that says how many attributes have no cell.
void AppendMore(std::size_t left_out, int width, std::vector<Cell>* line) {
  while (!line->empty() && WidthOf(*line) + kMoreWidth > width) {
    if (!line->back().name.empty()) ++left_out;
    line->pop_back();
  }
  line->push_back(
      {.name = "and", .value = std::to_string(left_out) + " more", .width = kMoreWidth});
}

void DropTrailingGaps(std::vector<Cell>* line) {
  while (!line->empty() && line->back().name.empty()) line->pop_back();
}

}  // namespace

int ValueWidth(std::size_t columns) { return static_cast<int>((columns * 74 + 9) / 10); }
int NameWidth(std::size_t columns) { return static_cast<int>((columns * 65 + 9) / 10); }
int LabelWidth(std::string_view text) {
  const auto is_broad = [](char c) { return (c >= 'A' && c <= 'Z') || c == 'm' || c == 'w'; };
  const auto broad = static_cast<std::size_t>(std::ranges::count_if(text, is_broad));
  return static_cast<int>((ColumnsOf(text) * 70 + broad * 18 + 9) / 10);
}

int WidthOf(const std::vector<Cell>& line) {
  int width = 0;
  for (const Cell& cell : line) width += cell.width;
  return width;
}

SectionCells::SectionCells(const Arrangement& arrangement, const Section& section,
                           const PictureOptions& options, int width, std::size_t lines_max)
    : section_(section), options_(options), width_(width), lines_max_(lines_max) {
  for (const Section& other : arrangement.sections) {
    keys_.insert(keys_.end(), other.partition_names.begin(), other.partition_names.end());
    keys_.insert(keys_.end(), other.sort_names.begin(), other.sort_names.end());
  }
  for (const Partition& partition : section.partitions) {
    for (const Line& line : partition.lines) {
      if (line.entry.item != nullptr) Count(line.entry);
    }
  }
  for (auto& [position, kind] : kinds_) Order(arrangement.kinds[position].name, &kind);
}

// Returns false for attributes that the picture shows elsewhere or that the index does not hold.
bool SectionCells::IsShown(const std::string& name) const {
  const auto is_in = [&](const auto& names) { return std::ranges::count(names, name) != 0; };
  if (is_in(section_.partition_names) || is_in(section_.sort_names)) return false;
  if (is_in(options_.type_attributes)) return false;
  return !section_.attributes || is_in(*section_.attributes);
}

// Returns the place of an attribute among the cells: keys first, then those with a declared order.
std::size_t SectionCells::RankOf(const std::string& kind, const std::string& name) const {
  const auto key = std::ranges::find(keys_, name);
  if (key != keys_.end()) return static_cast<std::size_t>(key - keys_.begin());
  const auto order = options_.attribute_order.find(kind);
  if (order == options_.attribute_order.end()) return keys_.size();
  const auto declared = std::ranges::find(order->second, name);
  return keys_.size() + static_cast<std::size_t>(declared - order->second.begin());
}

void SectionCells::Count(const Entry& entry) {
  KindColumns& kind = kinds_[entry.kind];
  ++kind.item_count;
  for (const auto& [name, value] : *entry.item) {
    if (!IsShown(name)) continue;
    Column& column = kind.columns[name];
    ++column.count;
    const std::size_t name_columns = std::min(ColumnsOf(OneLine(name)), kValueColumnsMax);
    const std::size_t value_columns = std::min(ColumnsOf(ValueText(value)), kValueColumnsMax);
    const int needed = std::max(NameWidth(name_columns), ValueWidth(value_columns));
    column.width = std::max(column.width, needed + 2 * kCellPadding);
  }
}

void SectionCells::Order(const std::string& name, KindColumns* kind) const {
  const auto is_common = [&](const std::string& column) {
    return 2 * kind->columns[column].count >= kind->item_count;
  };
  for (const auto& [attribute, column] : kind->columns) kind->order.push_back(attribute);
  std::ranges::stable_sort(kind->order, {},
                           [&](const std::string& attribute) { return RankOf(name, attribute); });
  const auto others = std::ranges::stable_partition(kind->order, is_common);
  kind->common_count = kind->order.size() - others.size();
}

Cell SectionCells::CellOf(const std::string& name, const AttributeValue& value, int width) const {
  const std::string text = ValueText(value);
  Cell cell{.name = Truncated(OneLine(name), kValueColumnsMax),
            .value = Truncated(text, kValueColumnsMax),
            .is_key = std::ranges::count(keys_, name) != 0,
            .width = width};
  if (cell.value != text) cell.whole_value = Truncated(text, kTipBytesMax);
  return cell;
}

CellLines SectionCells::LinesOf(const Entry& entry) const {
  const KindColumns& kind = kinds_.at(entry.kind);
  const auto lacks = [&](const std::string& name) { return !entry.item->contains(name); };
  const auto common_end = kind.order.begin() + static_cast<std::ptrdiff_t>(kind.common_count);
  // An item that lacks many of the common columns would consist of gaps, so it has none.
  const auto gaps = static_cast<std::size_t>(std::count_if(kind.order.begin(), common_end, lacks));
  const std::size_t gap_columns = 3 * gaps <= kind.common_count ? kind.common_count : 0;
  CellLines lines(1);
  std::size_t left_out = 0;
  bool is_full = false;
  for (std::size_t i = 0; i < kind.order.size(); ++i) {
    const std::string& name = kind.order[i];
    const int width = kind.columns.at(name).width;
    const auto found = entry.item->find(name);
    const bool exists = found != entry.item->end();
    if (!exists && i >= gap_columns) continue;
    const bool overflows = !lines.back().empty() && WidthOf(lines.back()) + width > width_;
    if (overflows && lines.size() < lines_max_) {
      lines.emplace_back();
    } else {
      is_full = is_full || overflows;
    }
    if (is_full) {
      left_out += exists ? 1 : 0;
    } else {
      lines.back().push_back(exists ? CellOf(name, found->second, width) : Cell{.width = width});
    }
  }
  if (left_out > 0) AppendMore(left_out, width_, &lines.back());
  DropTrailingGaps(&lines.back());
  if (lines.back().empty() && lines.size() > 1) lines.pop_back();
  return lines;
}

}  // namespace dolmen::picture
