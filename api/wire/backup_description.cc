#include "wire/backup_description.h"

#include <array>

#include "wire/key_schema.h"
#include "wire/table_description.h"
#include "wire/table_features.h"
#include "wire/table_settings.h"

namespace dolmen::wire {
namespace {

constexpr std::array<std::string_view, 2> kUnits = {"ReadCapacityUnits", "WriteCapacityUnits"};

// Writes the members that the details and the summary of a backup share.
void WriteCommonMembers(const Place& place, const TableBackup& backup, std::string_view status,
                        JsonWriter* json) {
  json->StringField("BackupArn", ArnOf(place, backup));
  json->StringField("BackupName", backup.name);
  json->UnsignedField("BackupSizeBytes", backup.table.content.size_bytes);
  json->StringField("BackupStatus", status);
  json->StringField("BackupType", backup.by_service ? "SYSTEM" : "USER");
  json->TimeField("BackupCreationDateTime", backup.created_at);
  if (backup.expires_at) json->TimeField("BackupExpiryDateTime", *backup.expires_at);
}

// Writes the members ProvisionedThroughput and OnDemandThroughput of a table or of an index.
void WriteRecordedThroughput(const Map& settings, JsonWriter* json) {
  json->Key("ProvisionedThroughput");
  json->BeginObject();
  for (const std::string_view name : kUnits) {
    json->IntegerField(name, IntegerIn(MapIn(settings, "ProvisionedThroughput"), name));
  }
  json->EndObject();
  const Map& maxima = MapIn(settings, "OnDemandThroughput");
  if (maxima.empty()) return;
  json->Key("OnDemandThroughput");
  WritePlain(maxima, json);
}

void WriteSourceTable(const Place& place, const TableDescription& table, JsonWriter* json) {
  const Map settings = SettingsOf(table);
  json->BeginObject();
  json->StringField("TableName", table.name);
  json->StringField("TableId", TableId(table));
  json->StringField("TableArn", TableArn(place, table.name));
  json->UnsignedField("TableSizeBytes", table.content.size_bytes);
  WriteKeySchema(table.partition_key, table.sort_key, json);
  json->TimeField("TableCreationDateTime", table.created_at);
  WriteRecordedThroughput(settings, json);
  json->UnsignedField("ItemCount", table.content.item_count);
  json->StringField("BillingMode", IsProvisioned(settings) ? "PROVISIONED" : "PAY_PER_REQUEST");
  json->EndObject();
}

void WriteLocalIndexes(const TableDescription& table, JsonWriter* json) {
  if (table.local_secondary_indexes.empty()) return;
  json->Key("LocalSecondaryIndexes");
  json->BeginArray();
  for (const auto& [index, content] : table.local_secondary_indexes) {
    json->BeginObject();
    WriteIndex(table, index, json);
    json->EndObject();
  }
  json->EndArray();
}

void WriteGlobalIndexes(const TableDescription& table, JsonWriter* json) {
  if (table.global_secondary_indexes.empty()) return;
  const Map settings = SettingsOf(table);
  json->Key("GlobalSecondaryIndexes");
  json->BeginArray();
  for (const GlobalSecondaryIndexDescription& described : table.global_secondary_indexes) {
    const GlobalSecondaryIndex& index = described.index;
    json->BeginObject();
    WriteIndex(index, json);
    WriteRecordedThroughput(MapIn(MapIn(settings, "Indexes"), index.name), json);
    json->EndObject();
  }
  json->EndArray();
}

void WriteFeatures(const Place& place, const TableBackup& backup, JsonWriter* json) {
  const TableDescription& table = backup.table;
  json->BeginObject();
  if (!backup.by_service) {
    WriteLocalIndexes(table, json);
    WriteGlobalIndexes(table, json);
    WriteStreamSpecification("StreamDescription", table, json);
    if (!backup.time_to_live_attribute.empty()) {
      json->Key("TimeToLiveDescription");
      json->BeginObject();
      json->StringField("TimeToLiveStatus", "ENABLED");
      json->StringField("AttributeName", backup.time_to_live_attribute);
      json->EndObject();
    }
    WriteEncryption(SettingsOf(table), place, json);
  }
  json->EndObject();
}

}  // namespace

std::string ArnOf(const Place& place, const TableBackup& backup) {
  return BackupArn(place, backup.table.name, backup.id);
}

void WriteBackupDetails(const Place& place, const TableBackup& backup, std::string_view status,
                        JsonWriter* json) {
  json->BeginObject();
  WriteCommonMembers(place, backup, status, json);
  json->EndObject();
}

void WriteBackupDescription(const Place& place, const TableBackup& backup, std::string_view status,
                            JsonWriter* json) {
  json->BeginObject();
  json->Key("BackupDetails");
  WriteBackupDetails(place, backup, status, json);
  json->Key("SourceTableDetails");
  WriteSourceTable(place, backup.table, json);
  json->Key("SourceTableFeatureDetails");
  WriteFeatures(place, backup, json);
  json->EndObject();
}

void WriteBackupSummary(const Place& place, const TableBackup& backup, JsonWriter* json) {
  json->BeginObject();
  json->StringField("TableName", backup.table.name);
  json->StringField("TableId", TableId(backup.table));
  json->StringField("TableArn", TableArn(place, backup.table.name));
  WriteCommonMembers(place, backup, "AVAILABLE", json);
  json->EndObject();
}

}  // namespace dolmen::wire
