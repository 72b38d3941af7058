#include "design/painter.h"

#include <algorithm>
#include <utility>

#include "design/canvas.h"
#include "design/cells.h"
#include "design/style.h"
#include "design/text.h"

namespace dolmen::picture {
namespace {

// All lengths are in pixels.
constexpr int kWidthMax = 1180;
constexpr int kWidthMin = 760;
constexpr int kMargin = 28;
constexpr int kLineHeight = 42;     // a line of cells: a name above a value
constexpr int kNameBaseline = 17;   // of the name, from the top of its line
constexpr int kValueBaseline = 33;  // of the value
constexpr int kHiddenHeight = 26;   // a line that says what is left out
constexpr int kBarWidth = 5;
constexpr int kCorner = 8;
constexpr int kBandGap = 10;
constexpr int kSectionGap = 34;
constexpr std::size_t kPartitionColumnsMax = 24;
constexpr std::size_t kSortColumnsMax = 34;
constexpr std::size_t kKindColumnsMax = 28;
constexpr std::size_t kTableLinesMax = 3;
constexpr std::size_t kIndexLinesMax = 1;

std::string CountOf(std::size_t count, std::string_view noun) {
  return std::to_string(count).append(" ").append(noun).append(count == 1 ? "" : "s");
}

std::string Joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    text.append(text.empty() ? "" : " · ").append(OneLine(name));
  }
  return text;
}

// Returns "k3" for the prefix "k" and the kind at position 3.
std::string HueClass(std::string_view prefix, std::size_t kind) {
  return std::string(prefix).append(std::to_string(kind % kHues));
}

// The widths of the columns of keys, which all sections share.
struct KeyWidths {
  int partition = 110;
  int sort = 110;
};

// A section and the cells of each of its lines.
struct Plan {
  const Section* section = nullptr;
  int cells_width = 0;                             // of the longest line
  std::vector<std::vector<CellLines>> cells = {};  // by partition and line; hidden lines have none
};

int TextWidth(const std::string& text, std::size_t columns_max) {
  return ValueWidth(std::min(ColumnsOf(text), columns_max)) + 2 * kCellPadding;
}

KeyWidths WidthsOf(const Arrangement& arrangement) {
  KeyWidths widths;
  const auto widen = [](int* width, const std::string& text, std::size_t columns_max) {
    *width = std::max(*width, TextWidth(text, columns_max));
  };
  for (const Section& section : arrangement.sections) {
    widen(&widths.partition, Joined(section.partition_names), kPartitionColumnsMax);
    widen(&widths.sort, Joined(section.sort_names), kSortColumnsMax);
    for (const Partition& partition : section.partitions) {
      widen(&widths.partition, partition.key, kPartitionColumnsMax);
      for (const Line& line : partition.lines) {
        widen(&widths.sort, line.sort, kSortColumnsMax);
        if (line.entry.item == nullptr) continue;
        const std::string& kind = arrangement.kinds[line.entry.kind].name;
        widths.sort = std::max(
            widths.sort, LabelWidth(Truncated(OneLine(kind), kKindColumnsMax)) + 2 * kCellPadding);
      }
    }
  }
  widths.sort += kBarWidth;
  return widths;
}

Plan PlanSection(const Arrangement& arrangement, const Section& section,
                 const PictureOptions& options, int width) {
  Plan plan{.section = &section};
  const SectionCells cells(arrangement, section, options, width,
                           section.index.empty() ? kTableLinesMax : kIndexLinesMax);
  for (const Partition& partition : section.partitions) {
    auto& of_partition = plan.cells.emplace_back();
    for (const Line& line : partition.lines) {
      CellLines lines = line.entry.item == nullptr ? CellLines() : cells.LinesOf(line.entry);
      for (const auto& of_line : lines) {
        plan.cells_width = std::max(plan.cells_width, WidthOf(of_line));
      }
      of_partition.push_back(std::move(lines));
    }
  }
  return plan;
}

int HeightOf(const CellLines& lines) {
  return lines.empty() ? kHiddenHeight : static_cast<int>(lines.size()) * kLineHeight;
}

class Painter {
 public:
  Painter(const Arrangement& arrangement, const PictureOptions& options)
      : arrangement_(arrangement), keys_(WidthsOf(arrangement)) {
    const int others = 2 * kMargin + keys_.partition + keys_.sort;
    for (const Section& section : arrangement.sections) {
      plans_.push_back(PlanSection(arrangement, section, options, kWidthMax - others));
      width_ = std::max(width_, others + plans_.back().cells_width);
    }
  }

  std::string Paint(const std::string& title, const std::string& note) {
    PaintHeading(title, note);
    PaintLegend();
    for (const Plan& plan : plans_) PaintSection(plan);
    const int height = y_ + kMargin;
    Canvas whole;
    whole.Rectangle("paper", {0, 0, width_, height}, 12);
    whole.Append(canvas_);
    return whole.Document(width_, height, title);
  }

 private:
  int Inner() const { return width_ - 2 * kMargin; }

  // Writes a text that is cut to `width`.
  void Line(std::string_view css, int x, int y, int width, std::string_view text, int font) {
    const auto columns = static_cast<std::size_t>(width * 10 / (font * 6));
    const std::string whole = OneLine(text);
    canvas_.BeginClip({x, y - font, width, font + font / 2});
    canvas_.Text(css, 0, font, Truncated(whole, columns));
    canvas_.EndClip();
  }

  void PaintHeading(const std::string& title, const std::string& note) {
    y_ = kMargin + 22;
    Line("title", kMargin, y_, Inner(), title, 22);
    if (!note.empty()) Line("muted", kMargin, y_ += 22, Inner(), note, 11);
    y_ += 16;
  }

  // Shows the name and the number of items of each kind.
  void PaintLegend() {
    int x = kMargin;
    for (std::size_t i = 0; i < arrangement_.kinds.size(); ++i) {
      const Kind& kind = arrangement_.kinds[i];
      const std::string text =
          Truncated(OneLine(kind.name), kKindColumnsMax) + "  " + std::to_string(kind.item_count);
      const int width = 26 + LabelWidth(text) + 12;
      if (x > kMargin && x + width > kMargin + Inner()) {
        x = kMargin;
        y_ += 30;
      }
      canvas_.BeginClip({x, y_, width, 24});
      canvas_.Rectangle(HueClass("t", i), {0, 0, width, 24}, 12);
      canvas_.Rectangle(HueClass("f", i), {10, 8, 8, 8}, 4);
      canvas_.Text(HueClass("kind k", i), 26, 16, text);
      canvas_.EndClip();
      x += width + 8;
    }
    y_ += 24;
  }

  void PaintSection(const Plan& plan) {
    const Section& section = *plan.section;
    y_ += kSectionGap;
    const std::string name = section.index.empty() ? "Table" : "Index " + OneLine(section.index);
    std::string size = "no items";
    if (section.item_count > 0) {
      size = CountOf(section.item_count, "item") + " in " +
             CountOf(section.partition_count, "partition");
    }
    const int size_x = kMargin + std::min(LabelWidth(name) * 13 / 10, Inner() - 240) + 12;
    Line("heading", kMargin, y_, size_x - kMargin, name, 14);
    Line("muted", size_x, y_, 240, size, 11);
    PaintKeyNames(section);
    for (std::size_t i = 0; i < section.partitions.size(); ++i) {
      if (i > 0) y_ += kBandGap;
      PaintPartition(section.partitions[i], plan.cells[i]);
    }
    const std::size_t hidden = section.partition_count - section.partitions.size();
    if (hidden == 0) return;
    const std::string text = "and " + CountOf(hidden, "more partition");
    Line("muted", kMargin + kCellPadding, y_ += 22, Inner() - kCellPadding, text, 11);
  }

  void PaintKeyNames(const Section& section) {
    y_ += 20;
    const int sort_x = kMargin + keys_.partition + kBarWidth + kCellPadding;
    Line("muted", kMargin + kCellPadding, y_, keys_.partition - kCellPadding,
         Joined(section.partition_names), 11);
    Line("muted", sort_x, y_, keys_.sort - kBarWidth - kCellPadding, Joined(section.sort_names),
         11);
    y_ += 8;
  }

  void PaintPartition(const Partition& partition, const std::vector<CellLines>& cells) {
    int height = 0;
    for (const CellLines& lines : cells) height += HeightOf(lines);
    height = std::max(height, kLineHeight);
    // Draws everything in an area with round corners: the band, its key and its items.
    canvas_.BeginClip({kMargin, y_, Inner(), height});
    canvas_.Rectangle("band", {0, 0, Inner(), height}, kCorner);
    PaintKey(partition, height);
    int y = 0;
    for (std::size_t i = 0; i < partition.lines.size(); ++i) {
      if (partition.lines[i].entry.item == nullptr) {
        PaintHidden(partition.lines[i], y);
      } else {
        PaintItem(partition.lines[i], cells[i], y);
      }
      if (i > 0) canvas_.HorizontalLine(keys_.partition, y, Inner() - keys_.partition);
      y += HeightOf(cells[i]);
    }
    canvas_.EndClip();
    y_ += height;
  }

  void PaintKey(const Partition& partition, int height) {
    canvas_.Rectangle("head", {0, 0, keys_.partition, height}, kCorner);
    canvas_.Rectangle("head", {kCorner, 0, keys_.partition - kCorner, height});
    const std::string key = Truncated(partition.key, kPartitionColumnsMax);
    canvas_.BeginClip({0, 0, keys_.partition, height}, key == partition.key ? "" : partition.key);
    canvas_.Text("key", kCellPadding, kNameBaseline + 2, key);
    canvas_.Text("muted", kCellPadding, kValueBaseline + 2, CountOf(partition.item_count, "item"));
    canvas_.EndClip();
  }

  void PaintHidden(const picture::Line& line, int y) {
    std::string text = "and " + std::to_string(line.hidden_count) + " more: ";
    for (const std::size_t& kind : line.hidden_kinds) {
      text.append(&kind == line.hidden_kinds.data() ? "" : ", ");
      text.append(OneLine(arrangement_.kinds[kind].name));
    }
    const int x = keys_.partition + kBarWidth + kCellPadding;
    Line("muted", x, y + 17, Inner() - x, text, 11);
  }

  void PaintItem(const picture::Line& line, const CellLines& cells, int y) {
    const std::size_t kind = line.entry.kind;
    const int height = HeightOf(cells);
    const int x = keys_.partition;
    canvas_.Rectangle(HueClass("t", kind), {x, y, keys_.sort, height});
    canvas_.Rectangle(HueClass("f", kind), {x, y, kBarWidth, height});
    const std::string sort = Truncated(line.sort, kSortColumnsMax);
    canvas_.BeginClip({x, y, keys_.sort, height}, sort == line.sort ? "" : line.sort);
    canvas_.Text(HueClass("kind k", kind), kBarWidth + kCellPadding, kNameBaseline,
                 Truncated(OneLine(arrangement_.kinds[kind].name), kKindColumnsMax));
    canvas_.Text("value", kBarWidth + kCellPadding, kValueBaseline, sort);
    canvas_.EndClip();
    int top = y;
    for (const auto& of_line : cells) {
      PaintCells(of_line, x + keys_.sort, top);
      top += kLineHeight;
    }
  }

  void PaintCells(const std::vector<Cell>& cells, int x, int y) {
    for (const Cell& cell : cells) {
      if (&cell != cells.data()) canvas_.VerticalLine(x, y + 8, kLineHeight - 16);
      if (!cell.name.empty()) {
        canvas_.BeginClip({x, y, cell.width, kLineHeight}, cell.whole_value);
        canvas_.Text(cell.is_key ? "keyname" : "name", kCellPadding, kNameBaseline, cell.name);
        canvas_.Text("value", kCellPadding, kValueBaseline, cell.value);
        canvas_.EndClip();
      }
      x += cell.width;
    }
  }

  const Arrangement& arrangement_;
  const KeyWidths keys_;
  std::vector<Plan> plans_;
  Canvas canvas_;
  int width_ = kWidthMin;
  int y_ = 0;  // the lower end of the parts that are painted
};

}  // namespace

std::string Paint(const Arrangement& arrangement, const std::string& title,
                  const PictureOptions& options) {
  return Painter(arrangement, options).Paint(title, OneLine(options.note));
}

}  // namespace dolmen::picture
