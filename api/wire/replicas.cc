#include <array>
#include <string>
#include <utility>

#include "engine/base/status_macros.h"
#include "wire/errors.h"
#include "wire/table_json.h"
#include "wire/table_settings.h"

namespace dolmen::wire {
namespace {

using Kind = Shape::Kind;

constexpr std::string_view kReplicas = "Replicas";
constexpr std::string_view kReplicaUpdates = "ReplicaUpdates";
constexpr std::string_view kRegion = "RegionName";
constexpr std::string_view kClassOverride = "TableClassOverride";

constexpr Structure kReadOverrideShape = {{
    Named("ProvisionedThroughputOverride"),
    {"ReadCapacityUnits", &kCapacityUnitsShape},
}};
constexpr Structure kMaximumOverrideShape = {{
    Named("OnDemandThroughputOverride"),
    {"MaxReadRequestUnits", &kLong},
}};
constexpr Structure kReplicaIndexShape = {{
    Named("ReplicaGlobalSecondaryIndex"),
    {"IndexName", &kIndexNameShape, true},
    {"ProvisionedThroughputOverride", &kReadOverrideShape},
    {"OnDemandThroughputOverride", &kMaximumOverrideShape},
}};
constexpr Shape kReplicaIndexesShape = {
    .kind = Kind::kList, .element = &kReplicaIndexShape, .range = {.min = 1}};

constexpr MemberShape kReplicaMembers[] = {
    {kRegion, &kString, true},
    {"KMSMasterKeyId", &kString},
    {"ProvisionedThroughputOverride", &kReadOverrideShape},
    {"OnDemandThroughputOverride", &kMaximumOverrideShape},
    {"GlobalSecondaryIndexes", &kReplicaIndexesShape},
    {kClassOverride, &kTableClassShape},
};
constexpr Shape kCreateReplicaShape = {.kind = Kind::kStructure,
                                       .name = "CreateReplicationGroupMemberAction",
                                       .members = kReplicaMembers};
constexpr Shape kUpdateReplicaShape = {.kind = Kind::kStructure,
                                       .name = "UpdateReplicationGroupMemberAction",
                                       .members = kReplicaMembers};
constexpr Structure kDeleteReplicaShape = {{
    Named("DeleteReplicationGroupMemberAction"),
    {kRegion, &kString, true},
}};
constexpr Enumeration kDisassociationModeShape = {"WAIT_FOR_REPLICATION"};
constexpr Structure kDisassociateReplicaShape = {{
    Named("DisassociateReplicationGroupMemberAction"),
    {kRegion, &kString, true},
    {"DisassociationMode", &kDisassociationModeShape, true},
}};
constexpr Structure kReplicaUpdateShape = {{
    Named("ReplicationGroupUpdate"),
    {"Create", &kCreateReplicaShape},
    {"Update", &kUpdateReplicaShape},
    {"Delete", &kDeleteReplicaShape},
    {"Disassociate", &kDisassociateReplicaShape},
}};

// A change of one replica: an element of ReplicaUpdates.
struct ReplicaUpdate {
  const MemberShape* action = nullptr;
  Json replica = {};

  std::string_view region() const { return StringMember(ObjectOf(replica), kRegion); }
};

Result<ReplicaUpdate> ReadReplicaUpdate(const JsonObject& json) {
  ReplicaUpdate update;
  for (const MemberShape& action : kReplicaUpdateShape.members) {
    const std::optional<Json> given = Member(json, action.name);
    if (!given) continue;
    if (update.action != nullptr) {
      return InvalidParameter("an element of ReplicaUpdates must have only one action, not " +
                              std::string(update.action->name) + " and " +
                              std::string(action.name));
    }
    update = {&action, *given};
  }
  if (update.action != nullptr) return update;
  return InvalidParameter("an element of ReplicaUpdates must have one of Create, Update, Delete");
}

Status CreateReplica(const ReplicaUpdate& update, std::string_view region,
                     const TableDescription& table, Map* replicas) {
  if (replicas->contains(update.region())) {
    return Status::Validation(std::string("Failed to create a replica of the table ")
                                  .append(table.name)
                                  .append(" in ")
                                  .append(update.region())
                                  .append(": one or more replicas already existed as tables"));
  }
  MapToChange(replicas, region);
  Set(update.region(), PlainOf(kCreateReplicaShape, update.replica), replicas);
  return {};
}

Status ApplyReplicaUpdate(const ReplicaUpdate& update, std::string_view region,
                          const TableDescription& table, Map* replicas) {
  const std::string_view action = update.action->name;
  if (action == "Disassociate") {
    return InvalidParameter(
        "Dolmen does not support Disassociate in ReplicaUpdates, because all regions show one "
        "table: delete the replica instead");
  }
  if (action != "Update" && update.region() == region) {
    return Status::Validation("Cannot add or delete the local region through ReplicaUpdates");
  }
  if (action == "Create") return CreateReplica(update, region, table, replicas);
  if (!replicas->contains(update.region())) {
    return Status::Validation(std::string("The replica is not part of the global table ")
                                  .append(table.name)
                                  .append(": [")
                                  .append(update.region())
                                  .append("]"));
  }
  if (action == "Delete") {
    Remove(update.region(), replicas);
    if (replicas->size() == 1) replicas->clear();
    return {};
  }
  Map& replica = MapToChange(replicas, update.region());
  const Map changes = PlainOf(kUpdateReplicaShape, ObjectOf(update.replica));
  for (const auto& [name, value] : changes) Set(name, value, &replica);
  return {};
}

void WriteReplica(std::string_view table, const Place& place, const Map& settings,
                  JsonWriter* json) {
  Map replica = settings;
  Set(kRegion, place.region, &replica);
  Set("ReplicaArn", TableArn(place, table), &replica);
  Set("ReplicaStatus", "ACTIVE", &replica);
  const std::string_view table_class = TextIn(settings, kClassOverride);
  if (!table_class.empty()) {
    Set("ReplicaTableClassSummary", Map{{"TableClass", table_class}}, &replica);
    Remove(kClassOverride, &replica);
  }
  WritePlain(replica, json);
}

}  // namespace

const Shape kReplicaUpdatesShape = {
    .kind = Kind::kList, .element = &kReplicaUpdateShape, .range = {.min = 1}};

const Map& ReplicasOf(const Map& settings) { return MapIn(settings, kReplicas); }

Status ChangeReplicas(const JsonObject& update_table, std::string_view region,
                      const TableDescription& table, Map* settings, UpdateTableInput* update) {
  if (update->stream_specification && !update->stream_specification->enabled &&
      !ReplicasOf(*settings).empty()) {
    return Status::Validation("Disabling Stream is not allowed for a Global Table replica");
  }
  const std::optional<Json> updates = Member(update_table, kReplicaUpdates);
  if (!updates) return {};
  Map& replicas = MapToChange(settings, kReplicas);
  for (const Json json : ArrayOf(*updates)) {
    DOLMEN_ASSIGN_OR_RETURN(const ReplicaUpdate& change, ReadReplicaUpdate(ObjectOf(json)));
    DOLMEN_RETURN_IF_ERROR(ApplyReplicaUpdate(change, region, table, &replicas));
  }
  if (!replicas.empty() && !table.stream_specification && !update->stream_specification) {
    update->stream_specification = {.enabled = true, .view_type = StreamViewType::kNewAndOldImages};
  }
  return {};
}

void WriteReplicas(std::string_view table, const Map& settings, const Place& place,
                   JsonWriter* json) {
  const Map& replicas = ReplicasOf(settings);
  if (replicas.empty()) return;
  json->StringField("GlobalTableVersion", "2019.11.21");
  json->Key(kReplicas);
  json->BeginArray();
  for (const auto& [name, value] : replicas) {
    if (name == place.region) continue;
    WriteReplica(table, {.region = name, .account = place.account}, MapIn(replicas, name), json);
  }
  json->EndArray();
  json->StringField("GlobalTableSettingsReplicationMode", "ENABLED_WITH_OVERRIDES");
  json->StringField("MultiRegionConsistency", "EVENTUAL");
}

}  // namespace dolmen::wire
