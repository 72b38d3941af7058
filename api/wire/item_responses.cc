#include "wire/item_responses.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "wire/item_requests.h"

namespace dolmen::wire {
namespace {

void WriteUnits(const Capacity& capacity, CapacityForm form, JsonWriter* json) {
  json->DoubleField("CapacityUnits", capacity.units());
  if (form == CapacityForm::kOperation) return;
  if (capacity.read_units > 0) json->DoubleField("ReadCapacityUnits", capacity.read_units);
  if (capacity.write_units > 0) json->DoubleField("WriteCapacityUnits", capacity.write_units);
}

void WriteIndexes(std::string_view name, const ConsumedCapacity::ByIndex& indexes,
                  CapacityForm form, JsonWriter* json) {
  if (indexes.empty()) return;
  json->Key(name);
  json->BeginObject();
  for (const auto& [index, capacity] : indexes) {
    json->Key(index);
    json->BeginObject();
    WriteUnits(capacity, form, json);
    json->EndObject();
  }
  json->EndObject();
}

void Write(const ConsumedCapacity& capacity, ReturnConsumedCapacity asked, CapacityForm form,
           JsonWriter* json) {
  json->BeginObject();
  json->StringField("TableName", capacity.table_name);
  WriteUnits(capacity.total, form, json);
  if (asked == ReturnConsumedCapacity::kIndexes) {
    json->Key("Table");
    json->BeginObject();
    WriteUnits(capacity.table, form, json);
    json->EndObject();
    WriteIndexes("GlobalSecondaryIndexes", capacity.global_secondary_indexes, form, json);
    WriteIndexes("LocalSecondaryIndexes", capacity.local_secondary_indexes, form, json);
  }
  json->EndObject();
}

Capacity ReadUnits(const JsonObject& json, Units units) {
  const auto number = [&](std::string_view name) {
    double value = 0;
    const std::optional<Json> member = Member(json, name);
    return member && member->get(value) == simdjson::SUCCESS ? value : 0.0;
  };
  Capacity capacity{.read_units = number("ReadCapacityUnits"),
                    .write_units = number("WriteCapacityUnits")};
  if (capacity.units() > 0) return capacity;
  (units == Units::kRead ? capacity.read_units : capacity.write_units) = number("CapacityUnits");
  return capacity;
}

ConsumedCapacity::ByIndex ReadIndexes(const JsonObject& json, std::string_view name, Units units) {
  ConsumedCapacity::ByIndex indexes;
  const std::optional<Json> member = Member(json, name);
  if (!member) return indexes;
  for (const auto& [index, capacity] : EntriesOf(ObjectOf(*member))) {
    indexes.emplace(std::string(index), ReadUnits(ObjectOf(capacity), units));
  }
  return indexes;
}

ConsumedCapacity ReadConsumed(const JsonObject& json, Units units) {
  ConsumedCapacity capacity{.table_name = std::string(StringMember(json, "TableName")),
                            .total = ReadUnits(json, units)};
  if (const std::optional<Json> table = Member(json, "Table")) {
    capacity.table = ReadUnits(ObjectOf(*table), units);
  }
  capacity.global_secondary_indexes = ReadIndexes(json, "GlobalSecondaryIndexes", units);
  capacity.local_secondary_indexes = ReadIndexes(json, "LocalSecondaryIndexes", units);
  return capacity;
}

}  // namespace

void WriteCapacity(const std::optional<ConsumedCapacity>& capacity, ReturnConsumedCapacity asked,
                   JsonWriter* response) {
  if (!capacity) return;
  response->Key("ConsumedCapacity");
  Write(*capacity, asked, CapacityForm::kOperation, response);
}

void WriteCapacities(const std::vector<ConsumedCapacity>& capacities, ReturnConsumedCapacity asked,
                     CapacityForm form, JsonWriter* response) {
  if (asked == ReturnConsumedCapacity::kNone) return;
  response->Key("ConsumedCapacity");
  response->BeginArray();
  for (const ConsumedCapacity& capacity : capacities) Write(capacity, asked, form, response);
  response->EndArray();
}

std::optional<ConsumedCapacity> ReadCapacity(const JsonObject& response, Units units) {
  const std::optional<Json> json = Member(response, "ConsumedCapacity");
  if (!json) return std::nullopt;
  return ReadConsumed(ObjectOf(*json), units);
}

std::vector<ConsumedCapacity> ReadCapacities(const JsonObject& response, Units units) {
  std::vector<ConsumedCapacity> capacities;
  const std::optional<Json> json = Member(response, "ConsumedCapacity");
  if (!json) return capacities;
  for (const Json one : ArrayOf(*json)) {
    capacities.push_back(ReadConsumed(ObjectOf(one), units));
  }
  return capacities;
}

void WriteTransactionItems(std::vector<std::optional<StoredItem>> items,
                           const std::vector<ConsumedCapacity>& capacities,
                           ReturnConsumedCapacity returned, JsonWriter* response) {
  TransactionItems all;
  for (std::optional<StoredItem>& item : items) all.items.push_back({std::move(item)});
  response->BeginObject();
  EncodeMembers(kMembers<TransactionItems>, all, response);
  WriteCapacities(capacities, returned, CapacityForm::kTransaction, response);
  response->EndObject();
}

namespace {

constexpr double kGigabyte = 1 << 30;

struct MeasuredCollection {
  const AttributeValue* partition = nullptr;
  double gigabytes = 0;
};

// Returns the sizes of the collections. Leaves out collections that cannot be measured.
std::vector<MeasuredCollection> Measure(const Table& table,
                                        const std::vector<AttributeValue>& partitions) {
  std::vector<MeasuredCollection> measured;
  for (const AttributeValue& partition : partitions) {
    const Result<std::uint64_t> bytes = table.ItemCollectionSize(partition);
    if (!bytes.ok()) continue;
    measured.push_back({&partition, std::floor(static_cast<double>(*bytes) / kGigabyte)});
  }
  return measured;
}

// Writes {"ItemCollectionKey": ..., "SizeEstimateRangeGB": [...]}.
void Write(const std::string& partition_key, const MeasuredCollection& collection,
           JsonWriter* response) {
  response->BeginObject();
  response->Key("ItemCollectionKey");
  response->ItemAttributes({{partition_key, *collection.partition}});
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
    for (const MeasuredCollection& collection : Measure(of_table.table, of_table.partitions)) {
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
    const std::vector<MeasuredCollection> measured = Measure(of_table.table, of_table.partitions);
    if (measured.empty()) continue;
    response->Key(of_table.table.name());
    response->BeginArray();
    for (const MeasuredCollection& collection : measured) {
      Write(of_table.partition_key, collection, response);
    }
    response->EndArray();
  }
  response->EndObject();
}

}  // namespace dolmen::wire
