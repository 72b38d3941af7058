#include "wire/consumed_capacity.h"

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

}  // namespace dolmen::wire
