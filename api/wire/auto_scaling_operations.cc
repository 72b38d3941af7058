#include <algorithm>
#include <string>
#include <utility>

#include "engine/base/status_macros.h"
#include "wire/managed_table.h"
#include "wire/operation.h"
#include "wire/table_json.h"
#include "wire/table_settings.h"

namespace dolmen::wire {
namespace {

using Kind = Shape::Kind;

// The settings of a table hold the auto scaling settings of the table and of its global indexes by
// name, and the same for each replica. kOfWholeTable stands for the table itself, because the name
// of an index has at least three characters.
constexpr std::string_view kAutoScaling = "AutoScaling";
constexpr std::string_view kAutoScalingOfReplicas = "AutoScalingOfReplicas";
constexpr std::string_view kOfWholeTable = "*";
constexpr std::string_view kDisabled = "AutoScalingDisabled";
constexpr std::string_view kPolicyUpdate = "ScalingPolicyUpdate";
constexpr std::string_view kScalingPolicies = "ScalingPolicies";
constexpr std::string_view kTableUpdate = "ProvisionedWriteCapacityAutoScalingUpdate";
constexpr std::string_view kReplicaUpdate = "ReplicaProvisionedReadCapacityAutoScalingUpdate";
constexpr std::string_view kReplicaIndexUpdate = "ProvisionedReadCapacityAutoScalingUpdate";
constexpr std::string_view kReplicaIndexUpdates = "ReplicaGlobalSecondaryIndexUpdates";

constexpr Shape kScalingInteger = {.kind = Kind::kInteger};
constexpr Shape kScalingDouble = {.kind = Kind::kDouble};
constexpr Structure kTrackingShape = {{
    Named("AutoScalingTargetTrackingScalingPolicyConfigurationUpdate"),
    {"DisableScaleIn", &kBoolean},
    {"ScaleInCooldown", &kScalingInteger},
    {"ScaleOutCooldown", &kScalingInteger},
    {"TargetValue", &kScalingDouble, true},
}};
constexpr Shape kPolicyNameShape = {.range = {1, 256}};
constexpr Structure kScalingPolicyShape = {{
    Named("AutoScalingPolicyUpdate"),
    {"PolicyName", &kPolicyNameShape},
    {"TargetTrackingScalingPolicyConfiguration", &kTrackingShape, true},
}};
constexpr Shape kRoleShape = {.range = {1, 1600}};
constexpr Structure kScalingSettingsShape = {{
    Named("AutoScalingSettingsUpdate"),
    {"MinimumUnits", &kCapacityUnitsShape},
    {"MaximumUnits", &kCapacityUnitsShape},
    {kDisabled, &kBoolean},
    {"AutoScalingRoleArn", &kRoleShape},
    {kPolicyUpdate, &kScalingPolicyShape},
}};
constexpr Structure kScalingIndexShape = {{
    Named("GlobalSecondaryIndexAutoScalingUpdate"),
    {"IndexName", &kIndexNameShape},
    {kTableUpdate, &kScalingSettingsShape},
}};
constexpr Shape kScalingIndexesShape = {
    .kind = Kind::kList, .element = &kScalingIndexShape, .range = {.min = 1}};
constexpr Structure kScalingReplicaIndexShape = {{
    Named("ReplicaGlobalSecondaryIndexAutoScalingUpdate"),
    {"IndexName", &kIndexNameShape},
    {kReplicaIndexUpdate, &kScalingSettingsShape},
}};
constexpr Shape kScalingReplicaIndexesShape = {.kind = Kind::kList,
                                               .element = &kScalingReplicaIndexShape};
constexpr Structure kScalingReplicaShape = {{
    Named("ReplicaAutoScalingUpdate"),
    {"RegionName", &kString, true},
    {kReplicaIndexUpdates, &kScalingReplicaIndexesShape},
    {kReplicaUpdate, &kScalingSettingsShape},
}};
constexpr Shape kScalingReplicasShape = {
    .kind = Kind::kList, .element = &kScalingReplicaShape, .range = {.min = 1}};
constexpr Structure kUpdateScalingInput = {{
    {"GlobalSecondaryIndexUpdates", &kScalingIndexesShape},
    kManagedTableName,
    {kTableUpdate, &kScalingSettingsShape},
    {"ReplicaUpdates", &kScalingReplicasShape},
}};

Status CheckIsGlobal(const TableDescription& table, const Map& settings) {
  if (!ReplicasOf(settings).empty()) return {};
  return Status::ResourceNotFound("Global table with name: " + table.name + " does not exist.");
}

std::string FailedFor(const TableDescription& table) {
  return "Failed to update settings for global table with name: ‘" + table.name + "’";
}

Status CheckScalingIndex(const TableDescription& table, std::string_view index) {
  for (const GlobalSecondaryIndexDescription& described : table.global_secondary_indexes) {
    if (described.index.name == index) return {};
  }
  return Status::ResourceNotFound(
      FailedFor(table)
          .append(" because the global secondary indexes with names: ‘[")
          .append(index)
          .append("]’ do not exist."));
}

// Stores the settings that the member `name` of the request has, if it has them, as the entry
// `entry` of `stored`.
Status ReadScaling(const TableDescription& table, const JsonObject& json, std::string_view name,
                   std::string_view entry, Map* stored) {
  const std::optional<Json> given = Member(json, name);
  if (!given) return {};
  Map settings = PlainOf(kScalingSettingsShape, ObjectOf(*given));
  const bool disabled = BooleanMember(ObjectOf(*given), kDisabled);
  if (!disabled && !settings.contains(kPolicyUpdate)) {
    return Status::Validation(FailedFor(table) +
                              ": Parameters 'ScalingPolicyUpdate' are required unless auto scaling "
                              "is being disabled.");
  }
  if (disabled) {
    Remove(entry, stored);
    return {};
  }
  Set(kScalingPolicies, List{MapIn(settings, kPolicyUpdate)}, &settings);
  Remove(kPolicyUpdate, &settings);
  Set(kDisabled, false, &settings);
  Set(entry, std::move(settings), stored);
  return {};
}

// Stores the settings of the indexes in the list `list` of the request. `name` is the member of
// each element that has the settings.
Status ReadScalingOfIndexes(const TableDescription& table, const JsonObject& json,
                            std::string_view list, std::string_view name, Map* stored) {
  const std::optional<Json> updates = Member(json, list);
  if (!updates) return {};
  for (const Json update : ArrayOf(*updates)) {
    const std::string_view index = StringMember(ObjectOf(update), "IndexName");
    DOLMEN_RETURN_IF_ERROR(CheckScalingIndex(table, index));
    DOLMEN_RETURN_IF_ERROR(ReadScaling(table, ObjectOf(update), name, index, stored));
  }
  return {};
}

Status ReadScalingOfReplicas(const TableDescription& table, const JsonObject& request,
                             Map* settings) {
  const std::optional<Json> updates = Member(request, "ReplicaUpdates");
  if (!updates) return {};
  for (const Json update : ArrayOf(*updates)) {
    const JsonObject json = ObjectOf(update);
    const std::string_view region = StringMember(json, "RegionName");
    if (!ReplicasOf(*settings).contains(region)) {
      return Status::Validation(
          FailedFor(table).append(": the table has no replica in ").append(region).append("."));
    }
    Map& stored = MapToChange(&MapToChange(settings, kAutoScalingOfReplicas), region);
    DOLMEN_RETURN_IF_ERROR(ReadScaling(table, json, kReplicaUpdate, kOfWholeTable, &stored));
    DOLMEN_RETURN_IF_ERROR(
        ReadScalingOfIndexes(table, json, kReplicaIndexUpdates, kReplicaIndexUpdate, &stored));
  }
  return {};
}

// Writes the settings with the name `entry`, or those of a table whose auto scaling is disabled.
void WriteScaling(std::string_view member, const Map& stored, std::string_view entry,
                  JsonWriter* json) {
  Map settings = MapIn(stored, entry);
  if (settings.empty()) {
    Set(kDisabled, true, &settings);
    Set(kScalingPolicies, List(), &settings);
  }
  json->Key(member);
  WritePlain(settings, json);
}

void WriteScalingOfReplica(const TableDescription& table, const Map& settings,
                           std::string_view region, JsonWriter* json) {
  const Map& write = MapIn(settings, kAutoScaling);
  const Map& read = MapIn(MapIn(settings, kAutoScalingOfReplicas), region);
  json->BeginObject();
  json->StringField("RegionName", region);
  json->Key("GlobalSecondaryIndexes");
  json->BeginArray();
  for (const GlobalSecondaryIndexDescription& described : table.global_secondary_indexes) {
    const std::string& name = described.index.name;
    json->BeginObject();
    json->StringField("IndexName", name);
    json->StringField("IndexStatus",
                      described.status == IndexStatus::kCreating ? "CREATING" : "ACTIVE");
    WriteScaling("ProvisionedReadCapacityAutoScalingSettings", read, name, json);
    WriteScaling("ProvisionedWriteCapacityAutoScalingSettings", write, name, json);
    json->EndObject();
  }
  json->EndArray();
  WriteScaling("ReplicaProvisionedReadCapacityAutoScalingSettings", read, kOfWholeTable, json);
  WriteScaling("ReplicaProvisionedWriteCapacityAutoScalingSettings", write, kOfWholeTable, json);
  json->StringField("ReplicaStatus", "ACTIVE");
  json->EndObject();
}

Status RunDescribeScaling(const Context& context, const JsonObject& request, JsonWriter* response) {
  DOLMEN_ASSIGN_OR_RETURN(const TableDescription& table, DescribeManagedTable(context, request));
  const Map settings = SettingsOf(table);
  DOLMEN_RETURN_IF_ERROR(CheckIsGlobal(table, settings));
  response->BeginObject();
  response->Key("TableAutoScalingDescription");
  response->BeginObject();
  response->StringField("TableName", table.name);
  response->StringField("TableStatus", "ACTIVE");
  response->Key("Replicas");
  response->BeginArray();
  for (const auto& replica : ReplicasOf(settings)) {
    WriteScalingOfReplica(table, settings, replica.first, response);
  }
  response->EndArray();
  response->EndObject();
  response->EndObject();
  return {};
}

Status RunUpdateScaling(const Context& context, const JsonObject& request, JsonWriter* response) {
  DOLMEN_RETURN_IF_ERROR(
      ChangeSettings(context, request, [&](const TableDescription& table, Map* settings) {
        DOLMEN_RETURN_IF_ERROR(CheckIsGlobal(table, *settings));
        Map& write = MapToChange(settings, kAutoScaling);
        DOLMEN_RETURN_IF_ERROR(ReadScaling(table, request, kTableUpdate, kOfWholeTable, &write));
        DOLMEN_RETURN_IF_ERROR(ReadScalingOfIndexes(table, request, "GlobalSecondaryIndexUpdates",
                                                    kTableUpdate, &write));
        return ReadScalingOfReplicas(table, request, settings);
      }));
  return RunDescribeScaling(context, request, response);
}

}  // namespace

std::span<const Operation> AutoScalingOperations() {
  static constexpr Operation kOperations[] = {
      {"DescribeTableReplicaAutoScaling", &kMembers<TableRequest>, RunDescribeScaling},
      {"UpdateTableReplicaAutoScaling", &kUpdateScalingInput, RunUpdateScaling},
  };
  return kOperations;
}

}  // namespace dolmen::wire
