#include "wire/continuous_backup_operations.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <string>

#include "engine/base/status_macros.h"
#include "wire/managed_table.h"
#include "wire/operation.h"

namespace dolmen::wire {
namespace {

using Kind = Shape::Kind;

constexpr std::array<MemberShape, 1> kDescribeRecoveryMembers = {{kManagedTableName}};
constexpr Shape kDescribeInput = {.kind = Kind::kStructure, .members = kDescribeRecoveryMembers};

constexpr Shape kPeriodShape = {.kind = Kind::kInteger, .range = {1, 35}};
constexpr std::array<MemberShape, 2> kRecoveryMembers = {{
    {"PointInTimeRecoveryEnabled", &kBoolean, true},
    {"RecoveryPeriodInDays", &kPeriodShape},
}};
constexpr Shape kRecoveryShape = {.kind = Kind::kStructure,
                                  .name = "PointInTimeRecoverySpecification",
                                  .members = kRecoveryMembers};
constexpr std::array<MemberShape, 2> kUpdateRecoveryMembers = {{
    kManagedTableName,
    {"PointInTimeRecoverySpecification", &kRecoveryShape, true},
}};
constexpr Shape kUpdateInput = {.kind = Kind::kStructure, .members = kUpdateRecoveryMembers};

// ContinuousBackupsStatus is ENABLED for every table of DynamoDB.
void WriteRecovery(const Context& context, const PointInTimeRecovery& recovery, JsonWriter* json) {
  json->BeginObject();
  json->Key("ContinuousBackupsDescription");
  json->BeginObject();
  json->StringField("ContinuousBackupsStatus", "ENABLED");
  json->Key("PointInTimeRecoveryDescription");
  json->BeginObject();
  json->StringField("PointInTimeRecoveryStatus", recovery.enabled ? "ENABLED" : "DISABLED");
  if (recovery.enabled) {
    json->UnsignedField("RecoveryPeriodInDays", recovery.period_days);
    json->TimeField("EarliestRestorableDateTime", recovery.earliest_restore_time);
    json->TimeField("LatestRestorableDateTime",
                    LatestRestoreTime(recovery, context.database.clock()->Now()));
  }
  json->EndObject();
  json->EndObject();
  json->EndObject();
}

Status RunDescribe(const Context& context, const JsonObject& request, JsonWriter* response) {
  DOLMEN_ASSIGN_OR_RETURN(const std::string_view table, ManagedTableName(request));
  const auto recovery = context.database.DescribeContinuousBackups(table);
  if (!recovery.ok()) return TableNotFound(recovery.status(), table);
  WriteRecovery(context, *recovery, response);
  return {};
}

Status RunUpdate(const Context& context, const JsonObject& request, JsonWriter* response) {
  DOLMEN_ASSIGN_OR_RETURN(const std::string_view table, ManagedTableName(request));
  const JsonObject specification = ObjectOf(*Member(request, "PointInTimeRecoverySpecification"));
  UpdateContinuousBackupsInput input{
      .table_name = std::string(table),
      .enabled = BooleanMember(specification, "PointInTimeRecoveryEnabled")};
  if (const auto period = IntegerMember(specification, "RecoveryPeriodInDays")) {
    input.period_days = static_cast<std::uint32_t>(*period);
  }
  const auto recovery = context.database.UpdateContinuousBackups(input);
  if (!recovery.ok()) return TableNotFound(recovery.status(), table);
  WriteRecovery(context, *recovery, response);
  return {};
}

}  // namespace

Timestamp LatestRestoreTime(const PointInTimeRecovery& recovery, Timestamp now) {
  return std::max(recovery.earliest_restore_time, now - std::chrono::minutes(5));
}

const Operation kDescribeContinuousBackups = {.name = "DescribeContinuousBackups",
                                              .input = &kDescribeInput,
                                              .run = RunDescribe,
                                              .missing_table = "TableNotFoundException"};
const Operation kUpdateContinuousBackups = {.name = "UpdateContinuousBackups",
                                            .input = &kUpdateInput,
                                            .run = RunUpdate,
                                            .missing_table = "TableNotFoundException"};

}  // namespace dolmen::wire
