#include "wire/item_collection.h"

#include <cmath>
#include <map>
#include <string_view>
#include <vector>

namespace dolmen::wire {
namespace {

constexpr double kGigabyte = 1 << 30;

// One {"ItemCollectionKey": ..., "SizeEstimateRangeGB": [...]}.
Status WriteCollection(const TableDescription& description, const Table& table, const Item& item,
                       JsonWriter* response) {
  const std::string& name = description.partition_key.name;
  const auto key = item.find(name);
  if (key == item.end()) return {};
  const Result<std::uint64_t> bytes = table.ItemCollectionSize(key->second);
  if (!bytes.ok()) return bytes.status();
  const double gigabytes = std::floor(static_cast<double>(*bytes) / kGigabyte);
  response->BeginObject();
  response->Key("ItemCollectionKey");
  response->KeyAttributes({{name, key->second}});
  response->Key("SizeEstimateRangeGB");
  response->BeginArray();
  response->Double(gigabytes);
  response->Double(gigabytes + 1);
  response->EndArray();
  response->EndObject();
  return {};
}

}  // namespace

bool AsksForCollectionMetrics(const JsonObject& request) {
  return StringMember(request, "ReturnItemCollectionMetrics") == "SIZE";
}

Status WriteCollectionMetrics(const Context& context, const Table& table, const Item& item,
                              JsonWriter* response) {
  const Result<TableDescription> description = context.database.DescribeTable(table.name());
  if (!description.ok()) return description.status();
  if (description->local_secondary_indexes.empty()) return {};
  response->Key("ItemCollectionMetrics");
  return WriteCollection(*description, table, item, response);
}

Status WriteCollectionMetrics(const Context& context, std::span<const WrittenItem> written,
                              JsonWriter* response) {
  std::map<std::string_view, std::vector<WrittenItem>> by_table;
  for (const WrittenItem& item : written) by_table[item.table->name()].push_back(item);
  response->Key("ItemCollectionMetrics");
  response->BeginObject();
  for (const auto& [name, items] : by_table) {
    const Result<TableDescription> description = context.database.DescribeTable(name);
    if (!description.ok()) return description.status();
    if (description->local_secondary_indexes.empty()) continue;
    response->Key(name);
    response->BeginArray();
    for (const WrittenItem& item : items) {
      Status done = WriteCollection(*description, *item.table, *item.item, response);
      if (!done.ok()) return done;
    }
    response->EndArray();
  }
  response->EndObject();
  return {};
}

}  // namespace dolmen::wire
