#include "wire/table_description.h"

#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>

#include "wire/enum_names.h"
#include "wire/extensions.h"
#include "wire/names.h"
#include "wire/table_json.h"
#include "wire/table_settings.h"

namespace dolmen::wire {
namespace {

// Writes the last members of a local or global index, and the end of the index's object.
void WriteIndexEnd(const std::string& arn, const ContentSize& content, JsonWriter* json) {
  json->UnsignedField("IndexSizeBytes", content.size_bytes);
  json->UnsignedField("ItemCount", content.item_count);
  json->StringField("IndexArn", arn);
  json->EndObject();
}

void WriteLocalIndexes(const TableDescription& table, const Place& place, JsonWriter* json) {
  if (table.local_secondary_indexes.empty()) return;
  json->Key("LocalSecondaryIndexes");
  json->BeginArray();
  for (const auto& [index, content] : table.local_secondary_indexes) {
    json->BeginObject();
    WriteIndex(table.partition_key, index, json);
    WriteIndexEnd(IndexArn(place, table.name, index.name), content, json);
  }
  json->EndArray();
}

void WriteGlobalIndexes(const TableDescription& table, const Map& settings,
                        const DescriptionContext& context, JsonWriter* json) {
  if (table.global_secondary_indexes.empty()) return;
  json->Key("GlobalSecondaryIndexes");
  json->BeginArray();
  for (const GlobalSecondaryIndexDescription& described : table.global_secondary_indexes) {
    const GlobalSecondaryIndex& index = described.index;
    const bool backfilling = described.status == IndexStatus::kCreating;
    const bool active = !backfilling && context.status != TableStatus::kCreating;
    json->BeginObject();
    EncodeMembers(kMembers<GlobalSecondaryIndex>, index, json);
    json->StringField("IndexStatus", active ? "ACTIVE" : "CREATING");
    if (backfilling) json->BooleanField("Backfilling", true);
    WriteThroughput(MapIn(MapIn(settings, "Indexes"), index.name), IsProvisioned(settings),
                    context.now, context.warm, json);
    WriteIndexEnd(IndexArn(context.place, table.name, index.name), described.content, json);
  }
  json->EndArray();
}

void WriteStream(const TableDescription& table, const Place& place, JsonWriter* json) {
  WriteStreamSpecification("StreamSpecification", table, json);
  if (table.latest_stream_arn.empty()) return;
  json->StringField("LatestStreamLabel", table.latest_stream_label);
  json->StringField("LatestStreamArn", StreamArn(place, table.name, table.latest_stream_label));
}

// Writes the restore that is creating the table, if the settings have it.
void WriteRestoreSummary(const Map& settings, JsonWriter* json) {
  const Map& restore = MapIn(settings, "RestoreSummary");
  if (restore.empty()) return;
  json->Key("RestoreSummary");
  json->BeginObject();
  for (const char* name : {"SourceBackupArn", "SourceTableArn", "RestoreDateTime"}) {
    const auto found = restore.find(name);
    if (found == restore.end()) continue;
    json->Key(name);
    WritePlain(found->second, json);
  }
  json->BooleanField("RestoreInProgress", true);
  json->EndObject();
}

}  // namespace

void WriteAttributeDefinitions(const std::vector<KeyAttribute>& attributes, JsonWriter* json) {
  json->Key("AttributeDefinitions");
  // An attribute with two types is written twice, so that the reader of a request rejects it.
  std::vector<KeyAttribute> distinct;
  for (const KeyAttribute& attribute : attributes) {
    if (std::ranges::find(distinct, attribute) == distinct.end()) distinct.push_back(attribute);
  }
  members::WriteFrom(distinct, json);
}

void WriteStreamSpecification(std::string_view name, const TableDescription& table,
                              JsonWriter* json) {
  if (!table.stream_specification) return;
  StreamSpecification stream = *table.stream_specification;
  stream.enabled = true;
  if (!stream.view_type) stream.view_type = StreamViewType::kKeysOnly;
  json->Key(name);
  Encode(stream, json);
}

void WriteIndex(const KeyAttribute& partition_key, const LocalSecondaryIndex& index,
                JsonWriter* json) {
  json->StringField("IndexName", index.name);
  WriteKeySchema(partition_key, index.sort_key, json);
  WriteProjection(index, json);
}

void WriteTable(const TableDescription& table, const DescriptionContext& context,
                JsonWriter* json) {
  const Map settings = SettingsOf(table);
  const bool exists = context.status != TableStatus::kDeleting;
  json->BeginObject();
  if (exists) {
    std::vector<KeyAttribute> keys = KeysOf(table);
    std::ranges::stable_sort(keys, {}, &KeyAttribute::name);
    WriteAttributeDefinitions(keys, json);
  }
  json->StringField("TableName", table.name);
  if (exists) WriteKeySchema(table.partition_key, table.sort_key, json);
  json->StringField("TableStatus", kNames<TableStatus>.NameOf(context.status));
  if (exists) json->TimeField("CreationDateTime", table.created_at);
  WriteThroughput(settings, IsProvisioned(settings), context.now,
                  exists ? context.warm : WarmThroughput::kNever, json);
  json->UnsignedField("TableSizeBytes", table.content.size_bytes);
  json->UnsignedField("ItemCount", table.content.item_count);
  json->StringField("TableArn", TableArn(context.place, table.name));
  json->StringField("TableId", table.table_id);
  const bool is_new = context.warm == WarmThroughput::kIfSet;
  WriteBillingMode(settings, is_new ? std::nullopt : std::optional(table.created_at), json);
  if (exists) {
    WriteLocalIndexes(table, context.place, json);
    WriteGlobalIndexes(table, settings, context, json);
    WriteStream(table, context.place, json);
    WriteTableFeatures(settings, context.place, json);
    WriteReplicas(table.name, settings, context.place, json);
  }
  if (context.status == TableStatus::kCreating) WriteRestoreSummary(settings, json);
  json->BooleanField("DeletionProtectionEnabled", table.deletion_protection);
  if (exists) WriteTableExtensions(table.stream_specification, std::nullopt, json);
  json->EndObject();
}

std::vector<KeyAttribute> KeysOf(const TableDescription& table) {
  std::vector<KeyAttribute> keys = {table.partition_key};
  if (table.sort_key) keys.push_back(*table.sort_key);
  for (const LocalSecondaryIndexDescription& described : table.local_secondary_indexes) {
    keys.push_back(described.index.sort_key);
  }
  for (const GlobalSecondaryIndexDescription& described : table.global_secondary_indexes) {
    const GlobalSecondaryIndex& index = described.index;
    keys.insert(keys.end(), index.partition_key.begin(), index.partition_key.end());
    keys.insert(keys.end(), index.sort_key.begin(), index.sort_key.end());
  }
  return keys;
}

}  // namespace dolmen::wire
