#include "command/item_printer.h"

#include <algorithm>
#include <utility>

#include "command/describe.h"
#include "command/item_lines.h"

namespace dolmen::command {
namespace {

constexpr std::size_t kColumnsWidest = 40;

// Returns the names of the columns, and an empty name for the last column, which shows all other
// attributes.
std::vector<std::string> Header(std::vector<std::string> columns) {
  for (std::string& name : columns) name = Printable(name);
  columns.emplace_back("");
  return columns;
}

}  // namespace

std::vector<std::string> KeyColumns(const TableDescription& table, const std::string& index) {
  std::vector<std::string> columns;
  for (const std::string& of : {index, std::string()}) {
    const Result<KeyAttributes> keys = KeysOf(table, of);
    if (!keys.ok()) continue;
    for (const auto* part : {&keys->partition, &keys->sort}) {
      for (const KeyAttribute& key : *part) {
        if (std::ranges::count(columns, key.name) == 0) columns.push_back(key.name);
      }
    }
  }
  return columns;
}

ItemPrinter::ItemPrinter(std::vector<std::string> columns, bool json)
    : json_(json), columns_(std::move(columns)), rows_(Header(columns_)) {}

void ItemPrinter::Add(const ItemView& item) {
  is_empty_ = false;
  if (json_) {
    AppendItemLine(item, &lines_);
  } else if (columns_.empty()) {
    lines_.append(Row(item).back()).append("\n");
  } else {
    rows_.Add(Row(item));
  }
}

std::string ItemPrinter::Take() {
  if (std::exchange(is_empty_, true)) return "";
  const bool is_table = !json_ && !columns_.empty();
  return is_table ? rows_.ToString(kColumnsWidest) : std::exchange(lines_, {});
}

// Returns the cells of an item: its columns, and all other attributes in one cell.
std::vector<std::string> ItemPrinter::Row(const ItemView& item) const {
  std::vector<std::string> row;
  for (const std::string& name : columns_) {
    const AttributeView value = item[name];
    const auto text = value.AsString();
    row.push_back(!value ? "" : Printable(text ? std::string(*text) : value.ToString()));
  }
  std::string rest;
  for (const auto& [name, value] : item) {
    if (std::ranges::count(columns_, name) != 0) continue;
    rest.append(rest.empty() ? "" : ", ").append(name).append(": ").append(value.ToString());
  }
  row.push_back(Printable(rest));
  return row;
}

}  // namespace dolmen::command
