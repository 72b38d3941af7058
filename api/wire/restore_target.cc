#include "wire/restore_target.h"

#include <string>
#include <utility>
#include <vector>

#include "engine/base/status_macros.h"
#include "wire/billing.h"
#include "wire/create_table_request.h"
#include "wire/key_schema.h"
#include "wire/table_description.h"
#include "wire/table_features.h"
#include "wire/table_settings.h"

namespace dolmen::wire {
namespace {

// Reads GlobalSecondaryIndexOverride. The settings of the indexes replace those of the source.
Status ReadGlobalIndexes(const JsonObject& request, const AttributeDefinitions& definitions,
                         Map* settings, RestoreTarget* target) {
  const std::optional<Json> indexes = Member(request, "GlobalSecondaryIndexOverride");
  if (!indexes) return {};
  Remove("Indexes", settings);
  const bool provisioned = IsProvisioned(*settings);
  target->global_secondary_indexes.emplace();
  for (const Json json : ArrayOf(*indexes)) {
    GlobalSecondaryIndex& index = target->global_secondary_indexes->emplace_back();
    Map billing;
    DOLMEN_RETURN_IF_ERROR(ReadGlobalIndex(ObjectOf(json), definitions, &index));
    DOLMEN_RETURN_IF_ERROR(ReadIndexBilling(provisioned, ObjectOf(json), &billing));
    Set(index.name, std::move(billing), &MapToChange(settings, "Indexes"));
  }
  return {};
}

Status ReadLocalIndexes(const JsonObject& request, const AttributeDefinitions& definitions,
                        const TableDescription& source, RestoreTarget* target) {
  const std::optional<Json> indexes = Member(request, "LocalSecondaryIndexOverride");
  if (!indexes) return {};
  const CreateTableInput table{
      .name = source.name, .partition_key = source.partition_key, .sort_key = source.sort_key};
  target->local_secondary_indexes.emplace();
  for (const Json json : ArrayOf(*indexes)) {
    LocalSecondaryIndex& index = target->local_secondary_indexes->emplace_back();
    DOLMEN_RETURN_IF_ERROR(ReadLocalIndex(ObjectOf(json), definitions, table, &index));
  }
  return {};
}

// Records the restore in the settings. The description of the table shows it while the table is
// CREATING.
void SetRestoreSummary(std::string table_arn, const RestoredState& restored, Map* settings) {
  Map summary = {{"SourceTableArn", std::move(table_arn)}};
  if (!restored.backup_arn.empty()) {
    Set("SourceBackupArn", std::string(restored.backup_arn), &summary);
  }
  SetTime("RestoreDateTime", restored.time, &summary);
  Set("RestoreSummary", std::move(summary), settings);
}

}  // namespace

Result<RestoreTarget> ReadTarget(const Context& context, const JsonObject& request,
                                 const TableDescription& source, const RestoredState& restored) {
  RestoreTarget target{.table_name = std::string(StringMember(request, "TargetTableName"))};
  Map settings = SettingsOf(source);
  for (const char* name : {"Tags", "TableClassSummary", "WarmThroughput", "Import"}) {
    Remove(name, &settings);
  }
  SetRestoreSummary(TableArn(context.place, source.name), restored, &settings);
  DOLMEN_RETURN_IF_ERROR(OverrideBilling(request, context.database.clock()->Now(), &settings));
  OverrideEncryption(request, &settings);
  AttributeDefinitions definitions(request);
  for (const KeyAttribute& attribute : KeysOf(source)) definitions.AddKnown(attribute);
  DOLMEN_RETURN_IF_ERROR(ReadGlobalIndexes(request, definitions, &settings, &target));
  DOLMEN_RETURN_IF_ERROR(ReadLocalIndexes(request, definitions, source, &target));
  Map annotations;
  for (const auto& [name, value] : source.annotations) {
    if (!name.starts_with("dolmen:")) annotations.emplace(name, value);
  }
  SetSettings(std::move(settings), &annotations);
  target.annotations = std::move(annotations);
  return target;
}

}  // namespace dolmen::wire
