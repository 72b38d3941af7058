#include "command/attribute_list.h"

#include <map>
#include <set>
#include <string_view>

#include "command/database_command.h"
#include "command/table_sample.h"
#include "command/text.h"
#include "engine/base/status_macros.h"

namespace dolmen::command {
namespace {

constexpr std::uint64_t kDescribedItems = 1000;

struct Use {
  std::uint64_t items = 0;
  std::set<std::string_view> types = {};
};

std::string TypesText(const std::set<std::string_view>& types) {
  std::string text;
  for (const std::string_view type : types) text.append(text.empty() ? "" : " ").append(type);
  return text;
}

}  // namespace

Result<std::string> AttributesText(const Database& database, const std::string& table) {
  DOLMEN_ASSIGN_OR_RETURN(const OpenedTable& opened, TableOf(database, table));
  DOLMEN_ASSIGN_OR_RETURN(const TableSample& sample,
                          ReadSample(opened.table, opened.description, kDescribedItems));
  if (sample.items.empty()) return std::string("The table has no items.\n");
  std::map<std::string, Use> uses;
  for (const Item& item : sample.items) {
    for (const auto& [name, value] : item) {
      ++uses[name].items;
      uses[name].types.insert(AttributeTypeName(value.type()));
    }
  }
  TextTable rows(
      {"ATTRIBUTE", "TYPES",
       (sample.is_whole ? "IN " : "IN A SAMPLE OF ") + CountText(sample.items.size(), "item")});
  rows.AlignRight(2);
  for (const auto& [name, use] : uses) {
    rows.Add({Printable(name), TypesText(use.types), CountText(use.items)});
  }
  return rows.ToString();
}

}  // namespace dolmen::command
