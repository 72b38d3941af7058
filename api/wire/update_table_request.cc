#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/status_macros.h"
#include "engine/schema/table_schema.h"
#include "wire/errors.h"
#include "wire/extensions.h"
#include "wire/managed_table.h"
#include "wire/table_description.h"
#include "wire/table_json.h"
#include "wire/table_requests.h"
#include "wire/table_settings.h"

namespace dolmen::wire {
namespace {

using Kind = Shape::Kind;

constexpr std::string_view kIndexUpdates = "GlobalSecondaryIndexUpdates";
constexpr std::string_view kModeChange = "BillingMode";
constexpr std::string_view kUnitsChange = "ProvisionedThroughput";
constexpr std::string_view kStreamChange = "StreamSpecification";
constexpr std::string_view kReplicaChanges = "ReplicaUpdates";
constexpr std::string_view kMaximaChange = "OnDemandThroughput";
constexpr std::string_view kWarmChange = "WarmThroughput";
constexpr std::string_view kConsistencyChange = "MultiRegionConsistency";

constexpr Enumeration kConsistencyShape = {"EVENTUAL", "STRONG"};

constexpr Structure kUpdateIndexShape = {{
    Named("UpdateGlobalSecondaryIndexAction"),
    {"IndexName", &kIndexNameShape, true},
    {"ProvisionedThroughput", &kProvisionedThroughputShape},
    {"OnDemandThroughput", &kOnDemandThroughputShape},
    {"WarmThroughput", &kWarmThroughputShape},
}};
constexpr Shape kCreateIndexShape = {.kind = Kind::kStructure,
                                     .name = "CreateGlobalSecondaryIndexAction",
                                     .members = kMembers<GlobalSecondaryIndex>.members};
constexpr Structure kDeleteIndexShape = {{
    Named("DeleteGlobalSecondaryIndexAction"),
    {"IndexName", &kIndexNameShape, true},
}};
constexpr Structure kIndexUpdateShape = {{
    Named("GlobalSecondaryIndexUpdate"),
    {"Update", &kUpdateIndexShape},
    {"Create", &kCreateIndexShape},
    {"Delete", &kDeleteIndexShape},
}};
constexpr Shape kIndexUpdatesShape = {.kind = Kind::kList, .element = &kIndexUpdateShape};

void WriteDefinitions(std::string_view, const UpdateTableInput& input, JsonWriter* json) {
  if (!input.create_index) return;
  std::vector<KeyAttribute> keys = input.create_index->partition_key;
  const std::vector<KeyAttribute>& sort = input.create_index->sort_key;
  keys.insert(keys.end(), sort.begin(), sort.end());
  WriteAttributeDefinitions(keys, json);
}

void WriteIndexUpdates(std::string_view name, const UpdateTableInput& input, JsonWriter* json) {
  if (!input.create_index && input.delete_index.empty()) return;
  json->Key(name);
  json->BeginArray();
  if (input.create_index) {
    json->BeginObject();
    json->Key("Create");
    Encode(*input.create_index, json);
    json->EndObject();
  }
  if (!input.delete_index.empty()) {
    json->BeginObject();
    json->Key("Delete");
    json->BeginObject();
    json->StringField("IndexName", input.delete_index);
    json->EndObject();
    json->EndObject();
  }
  json->EndArray();
}

}  // namespace

template <>
constexpr Described kMembers<UpdateTableInput> = {{
    {{"AttributeDefinitions", &kAttributeDefinitionsShape}, nullptr, WriteDefinitions},
    {kManagedTableName, nullptr, Always<&UpdateTableInput::name>({}).write},
    Only<UpdateTableInput>({kModeChange, &kBillingModeShape}),
    Only<UpdateTableInput>({kUnitsChange, &kProvisionedThroughputShape}),
    {{kIndexUpdates, &kIndexUpdatesShape}, nullptr, WriteIndexUpdates},
    Optional<&UpdateTableInput::stream_specification>("StreamSpecification",
                                                      &kMembers<StreamSpecification>),
    Only<UpdateTableInput>({"SSESpecification", &kSseSpecificationShape}),
    Only<UpdateTableInput>({kReplicaChanges, &kReplicaUpdatesShape}),
    Only<UpdateTableInput>({"TableClass", &kTableClassShape}),
    Optional<&UpdateTableInput::deletion_protection>("DeletionProtectionEnabled", &kBoolean),
    Only<UpdateTableInput>({kMaximaChange, &kOnDemandThroughputShape}),
    Only<UpdateTableInput>({kWarmChange, &kWarmThroughputShape}),
    Only<UpdateTableInput>({kConsistencyChange, &kConsistencyShape}),
    kTableExtensionsMember<UpdateTableInput>,
}};
const Shape kUpdateTableInput = kMembers<UpdateTableInput>;

std::string UpdateTableJson(const UpdateTableInput& input) { return ToJson(input); }

namespace {

constexpr std::array<std::string_view, 4> kUnsupportedChanges = {
    "GlobalTableWitnessUpdates", "GlobalTableSettingsReplicationMode",
    "DisassociationProtectionEnabled", "VectorIndexUpdates"};

// Returns true if the member of the request can ask for a change of the table.
bool IsChange(const MemberShape& member) {
  return member.name != "TableName" && member.name != "AttributeDefinitions" &&
         member.name != kExtensions;
}

// Returns the names of the members of the request that can ask for a change of the table.
std::vector<std::string_view> ChangesIn(const JsonObject& request) {
  std::vector<std::string_view> changes;
  for (const MemberShape& member : kMembers<UpdateTableInput>.members) {
    if (IsChange(member) && Member(request, member.name)) changes.push_back(member.name);
  }
  return changes;
}

// A change that a request can combine with no other change but that of `partner`, if it has one.
struct LoneChange {
  std::string_view member;
  std::string_view message;
  std::string_view partner = {};
};
constexpr LoneChange kLoneChanges[] = {
    {"SSESpecification",
     "Server-Side Encryption modification must be the only operation in the request"},
    {"TableClass", "TableClass modification must be the only operation in the request"},
    {"DeletionProtectionEnabled",
     "DeletionProtection modification must be the only operation in the request"},
    {kReplicaChanges, "Replica modification must be the only operation in the request",
     kConsistencyChange},
    {kWarmChange, "WarmThroughput must be the only operation in the request"},
    {kMaximaChange,
     "OnDemandThroughput can only be combined with BillingMode in an UpdateTable request",
     kModeChange},
};

// Checks that the changes in the request may stand in one request.
Status CheckTogether(const JsonObject& request) {
  const std::vector<std::string_view> changes = ChangesIn(request);
  const auto asks_for = [&](std::string_view name) {
    return std::ranges::find(changes, name) != changes.end();
  };
  for (const LoneChange& lone : kLoneChanges) {
    if (!asks_for(lone.member)) continue;
    const auto may_join = [&](std::string_view name) {
      return name == lone.member || name == lone.partner;
    };
    if (!std::ranges::all_of(changes, may_join)) return InvalidParameter(lone.message);
  }
  if (asks_for(kStreamChange) && asks_for(kUnitsChange)) {
    return InvalidParameter("You cannot modify stream status while updating table IOPS");
  }
  return {};
}

Status CheckAnyChange(const JsonObject& request) {
  DOLMEN_RETURN_IF_ERROR(CheckUnsupported(request, kUnsupportedChanges));
  if (StringMember(request, kConsistencyChange) == "STRONG") {
    return InvalidParameter("Dolmen does not support MultiRegionConsistency STRONG");
  }
  const std::vector<std::string_view> changes = ChangesIn(request);
  const std::optional<Json> indexes = Member(request, kIndexUpdates);
  const bool is_empty = indexes && ArrayOf(*indexes).size() == 0;
  if (is_empty && changes.size() > 1) {
    return InvalidParameter("List of GlobalSecondaryIndexUpdates is empty");
  }
  if (!is_empty && !changes.empty()) return {};
  return Status::Validation(
      "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, "
      "GlobalSecondaryIndexUpdates, SSESpecification, ReplicaUpdates, MultiAccountReplicaReady, "
      "ReplicaTransitRoleArn, MultiRegionConsistency, DeletionProtectionEnabled, "
      "OnDemandThroughput, WarmThroughput or TableClass is required");
}

// A change of one index: an element of GlobalSecondaryIndexUpdates.
struct IndexUpdate {
  enum class Action : std::uint8_t { kUpdate, kCreate, kDelete };

  Action action = Action::kUpdate;
  JsonObject json = {};

  std::string_view name() const { return StringMember(json, "IndexName"); }
};

// Reads the changes of indexes.
// - kValidation: an element of the list requests no change, or several.
Status ReadIndexUpdates(const JsonObject& request, std::vector<IndexUpdate>* updates) {
  using Action = IndexUpdate::Action;
  const std::optional<Json> list = Member(request, kIndexUpdates);
  if (!list) return {};
  for (const Json element : ArrayOf(*list)) {
    const std::size_t before = updates->size();
    for (const auto& [name, action] : {std::pair("Update", Action::kUpdate),
                                       {"Create", Action::kCreate},
                                       {"Delete", Action::kDelete}}) {
      const std::optional<Json> json = Member(ObjectOf(element), name);
      if (json) updates->push_back({action, ObjectOf(*json)});
    }
    const std::size_t added = updates->size() - before;
    if (added == 1) continue;
    return InvalidParameter(
        added == 0 ? "One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, "
                     "GlobalSecondaryIndexUpdate.Delete must not be null"
                   : "Only one global secondary index action is allowed per "
                     "GlobalSecondaryIndexUpdate object");
  }
  return {};
}

// Checks that the request changes each index at most once, and creates or deletes no index while it
// changes the throughput or the stream of the table.
Status CheckIndexUpdates(const JsonObject& request) {
  std::vector<IndexUpdate> updates;
  DOLMEN_RETURN_IF_ERROR(ReadIndexUpdates(request, &updates));
  const char* const conflict = Member(request, kUnitsChange)    ? "updating table IOPS"
                               : Member(request, kStreamChange) ? "changing stream status"
                                                                : nullptr;
  std::set<std::string_view> names;
  for (const IndexUpdate& update : updates) {
    if (conflict != nullptr && update.action != IndexUpdate::Action::kUpdate) {
      return InvalidParameter(std::string("You cannot create or delete index while ") + conflict);
    }
    if (names.insert(update.name()).second) continue;
    return InvalidParameter(
        std::string("Only one global secondary index update per index is allowed simultaneously. "
                    "Index: ")
            .append(update.name()));
  }
  return {};
}

Status NoSuchIndex(std::string_view name, std::string_view table) {
  return Status::ResourceNotFound(std::string("Requested resource not found: Index ")
                                      .append(name)
                                      .append(" for table ")
                                      .append(table));
}

// A planner, which adds the changes to a table's indexes to `input` and `settings`. Borrows
// `table`, `settings` and `input`.
class IndexChanges {
 public:
  IndexChanges(const JsonObject& request, const TableDescription& table, Timestamp now,
               Map* settings, UpdateTableInput* input)
      : table_(table), now_(now), definitions_(request), settings_(settings), input_(input) {
    for (const KeyAttribute& attribute : KeysOf(table)) definitions_.KeepType(attribute);
  }

  Status Add(const IndexUpdate& update) {
    DOLMEN_RETURN_IF_ERROR(CheckNotLocal(update));
    if (update.action == IndexUpdate::Action::kUpdate) return AddUpdate(update);
    if (input_->create_index || !input_->delete_index.empty()) {
      return engine::OneIndexAtATime();
    }
    if (update.action == IndexUpdate::Action::kCreate) return AddCreate(update.json);
    input_->delete_index = update.name();
    Remove(input_->delete_index, &of_indexes());
    return {};
  }

 private:
  Map& of_indexes() { return MapToChange(settings_, "Indexes"); }

  Status CheckNotLocal(const IndexUpdate& update) const {
    if (update.action == IndexUpdate::Action::kCreate) return {};
    for (const LocalSecondaryIndexDescription& local : table_.local_secondary_indexes) {
      if (local.index.name != update.name()) continue;
      const bool deletes = update.action == IndexUpdate::Action::kDelete;
      return Status::Validation(std::string(deletes ? "Cannot delete" : "Cannot update")
                                    .append(" an index that is not a GlobalSecondaryIndex: ")
                                    .append(update.name()));
    }
    return {};
  }

  Status AddUpdate(const IndexUpdate& update) {
    const std::vector<GlobalSecondaryIndexDescription>& indexes = table_.global_secondary_indexes;
    if (std::none_of(indexes.begin(), indexes.end(),
                     [&](const GlobalSecondaryIndexDescription& described) {
                       return described.index.name == update.name();
                     })) {
      return NoSuchIndex(update.name(), table_.name);
    }
    return ChangeIndexBilling(IsProvisioned(*settings_), update.json, now_,
                              &MapToChange(&of_indexes(), update.name()));
  }

  // The request defines each key attribute of the new index, also those that the table has: their type stays. It
  // may define any others, because tools send the attributes of the whole final table with each index that they add.
  Status AddCreate(const JsonObject& json) {
    GlobalSecondaryIndex index;
    if (definitions_.given().empty()) {
      return InvalidParameter("AttributeDefinitions is not specified for index: " +
                              std::string(StringMember(json, "IndexName")));
    }
    Map billing;
    DOLMEN_RETURN_IF_ERROR(ReadGlobalIndex(json, definitions_, &index));
    DOLMEN_RETURN_IF_ERROR(ReadIndexBilling(IsProvisioned(*settings_), json, &billing));
    Set(index.name, std::move(billing), &of_indexes());
    input_->create_index = std::move(index);
    return {};
  }

  const TableDescription& table_;
  Timestamp now_;
  AttributeDefinitions definitions_;
  Map* settings_;
  UpdateTableInput* input_;
};

}  // namespace

Status CheckUpdateTable(const JsonObject& request) {
  DOLMEN_RETURN_IF_ERROR(CheckAnyChange(request));
  DOLMEN_RETURN_IF_ERROR(CheckTogether(request));
  DOLMEN_RETURN_IF_ERROR(CheckBillingChange(request));
  return CheckIndexUpdates(request);
}

Result<UpdateTableInput> PlanUpdateTable(const JsonObject& request, const TableDescription& table,
                                         std::string_view region, Timestamp now) {
  UpdateTableInput input{.name = table.name};
  Map settings = SettingsOf(table);
  std::vector<IndexUpdate> updates;
  DOLMEN_RETURN_IF_ERROR(ReadIndexUpdates(request, &updates));
  DOLMEN_RETURN_IF_ERROR(ChangeBilling(request, table, now, &settings));
  IndexChanges changes(request, table, now, &settings, &input);
  for (const IndexUpdate& update : updates) {
    DOLMEN_RETURN_IF_ERROR(changes.Add(update));
  }
  ChangeTableFeatures(request, now, &settings);
  DOLMEN_RETURN_IF_ERROR(Decode(request, &input));
  DOLMEN_RETURN_IF_ERROR(ChangeReplicas(request, region, table, &settings, &input));
  input.annotations = table.annotations;
  SetSettings(std::move(settings), &*input.annotations);
  return input;
}

}  // namespace dolmen::wire
