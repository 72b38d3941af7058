#include "models/demo/draw_items.h"

#include <dolmen/item_view.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "models/demo/print.h"

namespace dolmen::demo {
namespace {

constexpr std::size_t kTableItemsMax = 24;
constexpr std::size_t kIndexItemsMax = 12;

struct DrawnItem {
  std::string partition = {};
  std::string sort = {};
  std::string attributes = {};
};

// Returns the text of an attribute; "" if the item does not have it.
std::string TextOf(const Item& item, const std::string& name) {
  const auto found = item.find(name);
  if (found == item.end()) return {};
  const auto* text = found->second.get_if<std::string>();
  return text == nullptr ? "?" : *text;
}

// Returns the attributes that are no keys: `name "Ann", role "admin"`.
std::string AttributesOf(const Item& item) {
  std::string text;
  for (const auto& [name, value] : item) {
    const bool is_key = name == "PK" || name == "SK" || name.starts_with("GSI");
    const auto* content = value.get_if<std::string>();
    if (is_key || name == "entityType" || name == "entity_type" || content == nullptr) continue;
    text.append(text.empty() ? "" : ", ").append(name).append(" \"").append(*content).append("\"");
  }
  return text;
}

std::string DrawKey(std::string_view title, const std::string& partition_name,
                    const std::string& sort_name, std::span<const Item> items,
                    std::size_t items_max) {
  std::vector<DrawnItem> drawn;
  for (const Item& item : items) {
    DrawnItem one = {Stable(TextOf(item, partition_name)), TextOf(item, sort_name),
                     AttributesOf(item)};
    if (!one.partition.empty()) drawn.push_back(std::move(one));
  }
  std::ranges::sort(drawn, {}, [](const DrawnItem& one) {
    return std::pair<std::string_view, std::string_view>(one.partition, one.sort);
  });

  if (drawn.empty()) return {};
  Rows rows = {{std::string(title), partition_name + " / " + sort_name, "attributes"}};
  const std::string* partition = nullptr;
  for (std::size_t n = 0; n < std::min(drawn.size(), items_max); ++n) {
    const bool begins = partition == nullptr || *partition != drawn[n].partition;
    rows.push_back({begins ? drawn[n].partition : "", drawn[n].sort, drawn[n].attributes});
    partition = &drawn[n].partition;
  }
  if (drawn.size() > items_max) {
    rows.push_back({"... and " + FormatCount(drawn.size() - items_max) + " more items"});
  }
  return FormatRows(rows) + '\n';
}

}  // namespace

std::string DrawItems(const TableDescription& table, std::span<const Item> items) {
  const std::string sort = table.sort_key ? table.sort_key->name : std::string();
  std::string text = DrawKey("Table", table.partition_key.name, sort, items, kTableItemsMax);
  for (const GlobalSecondaryIndexDescription& one : table.global_secondary_indexes) {
    const GlobalSecondaryIndex& index = one.index;
    text +=
        DrawKey(index.name, index.partition_key.front().name,
                index.sort_key.empty() ? "" : index.sort_key.front().name, items, kIndexItemsMax);
  }
  return text;
}

}  // namespace dolmen::demo
