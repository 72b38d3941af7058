// Pictures of a table: partitions as bands, items as rows, attributes in cells, and the indexes below
// the table, as single-table designs are drawn on paper.
//
//   const auto table = db.DescribeTable("app");
//   std::ofstream("app.svg") << DrawTable(*table, items);
//
// A picture is an SVG document. It follows the viewer's choice of a light or a dark theme, loads
// nothing from outside and has no script. It has a bounded size, whatever the items are. Two calls
// with the same arguments return the same bytes.
//
// Functions here are pure and thread-safe.

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "dolmen/attribute_value.h"
#include "dolmen/describe_table.h"

namespace dolmen {

// The choices of a picture.
struct PictureOptions {
  // The heading. "" means the table's name.
  std::string title = {};

  // A sentence below the heading. "" means none. Both texts are shortened to the picture's width.
  std::string note = {};

  // The maximum number of partitions that the table and each index show, and of items that each
  // partition shows. The picture says how many are left out. It leaves out kinds of items last.
  std::size_t partitions_max = 8;
  std::size_t items_max = 8;

  // The attributes that can hold an item's kind, by which items are coloured. The first attribute
  // that the item has as a string decides. Without one, the kind is the literal that the sort key or
  // the partition key begins with: MSG for MSG#01HW.
  std::vector<std::string> type_attributes = {"entityType", "__edb_e__"};

  // The kinds in the order of the legend. Kinds that are not listed follow in the order of the
  // table's keys. Ten colours exist; the eleventh kind has the colour of the first.
  std::vector<std::string> kinds = {};

  // The attributes of each kind in the order of the cells. Attributes that are not listed follow in
  // byte order of their names.
  std::map<std::string, std::vector<std::string>> attribute_order = {};
};

// Returns the picture of the items in the table. Draws an item in each index whose key attributes it
// has. Items of the table that are not in `items` are unknown to the picture. `items` can have any
// order. Leaves out an item without the table's key. Takes time and memory in proportion to `items`.
std::string DrawTable(const TableDescription& table, std::span<const Item> items,
                      const PictureOptions& options = {});

// Returns an HTML page that shows the picture and fits it into the window. `title` is the page's
// title. `svg` is a result of DrawTable.
std::string PicturePage(const std::string& svg, const std::string& title);

}  // namespace dolmen

#include "dolmen/internal/show_macros.h"
