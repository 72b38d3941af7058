#include "wire/item_collection.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace dolmen::wire {
namespace {

constexpr double kGigabyte = 1 << 30;

struct Measured {
  const AttributeValue* partition = nullptr;
  double gigabytes = 0;
};

// Returns the sizes of the collections. Leaves out collections that cannot be measured.
std::vector<Measured> Measure(const Table& table, const std::vector<AttributeValue>& partitions) {
  std::vector<Measured> measured;
  for (const AttributeValue& partition : partitions) {
    const Result<std::uint64_t> bytes = table.ItemCollectionSize(partition);
    if (!bytes.ok()) continue;
    measured.push_back({&partition, std::floor(static_cast<double>(*bytes) / kGigabyte)});
  }
  return measured;
}

// Writes {"ItemCollectionKey": ..., "SizeEstimateRangeGB": [...]}.
void Write(const std::string& partition_key, const Measured& collection, JsonWriter* response) {
  response->BeginObject();
  response->Key("ItemCollectionKey");
  response->KeyAttributes({{partition_key, *collection.partition}});
  response->Key("SizeEstimateRangeGB");
  response->BeginArray();
  response->Double(collection.gigabytes);
  response->Double(collection.gigabytes + 1);
  response->EndArray();
  response->EndObject();
}

}  // namespace

ItemCollections::ItemCollections(const Context& context, const JsonObject& request)
    : context_(context), asked_(StringMember(request, "ReturnItemCollectionMetrics") == "SIZE") {}

void ItemCollections::Add(const TableRef& table, const Item& item) {
  if (!asked_) return;
  TableCollections* const of_table = Find(table);
  if (of_table == nullptr || !of_table->has_local_indexes) return;
  const auto key = item.find(of_table->partition_key);
  if (key == item.end()) return;
  std::vector<AttributeValue>& partitions = of_table->partitions;
  const bool is_new =
      std::find(partitions.begin(), partitions.end(), key->second) == partitions.end();
  if (is_new) partitions.push_back(key->second);
}

// Returns null if the table no longer exists. The caller then ignores the item, and the later write
// to the table fails with the error.
ItemCollections::TableCollections* ItemCollections::Find(const TableRef& table) {
  const auto found = std::find_if(tables_.begin(), tables_.end(), [&](const TableCollections& one) {
    return one.table.name() == table.name();
  });
  if (found != tables_.end()) return &*found;
  Result<TableDescription> description =
      context_.database.DescribeTable(table.name(), ContentSizes::kOmit);
  if (!description.ok()) return nullptr;
  tables_.push_back({.table = Table(table),
                     .partition_key = std::move(description->partition_key.name),
                     .has_local_indexes = !description->local_secondary_indexes.empty()});
  return &tables_.back();
}

void ItemCollections::WriteOne(JsonWriter* response) const {
  for (const TableCollections& of_table : tables_) {
    for (const Measured& collection : Measure(of_table.table, of_table.partitions)) {
      response->Key("ItemCollectionMetrics");
      Write(of_table.partition_key, collection, response);
    }
  }
}

void ItemCollections::WriteLists(JsonWriter* response) const {
  if (!asked_) return;
  response->Key("ItemCollectionMetrics");
  response->BeginObject();
  for (const TableCollections& of_table : tables_) {
    const std::vector<Measured> measured = Measure(of_table.table, of_table.partitions);
    if (measured.empty()) continue;
    response->Key(of_table.table.name());
    response->BeginArray();
    for (const Measured& collection : measured) {
      Write(of_table.partition_key, collection, response);
    }
    response->EndArray();
  }
  response->EndObject();
}

}  // namespace dolmen::wire
