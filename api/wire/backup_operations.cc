#include "wire/backup_operations.h"

#include <array>
#include <chrono>
#include <string>

#include "engine/base/status_macros.h"
#include "wire/backup_description.h"
#include "wire/managed_table.h"
#include "wire/operation.h"
#include "wire/table_shapes.h"

namespace dolmen::wire {
namespace {

using Kind = Shape::Kind;

constexpr Shape kBackupNameShape = {.range = {3, 255}, .pattern = kNamePattern};
constexpr std::array<MemberShape, 2> kCreateBackupMembers = {{
    kManagedTableName,
    {"BackupName", &kBackupNameShape, true},
}};
constexpr Shape kCreateBackupInput = {.kind = Kind::kStructure, .members = kCreateBackupMembers};

constexpr std::array<MemberShape, 1> kBackupMembers = {{{"BackupArn", &kBackupArnShape, true}}};
constexpr Shape kBackupInput = {.kind = Kind::kStructure, .members = kBackupMembers};

constexpr Shape kBackupLimitShape = {.kind = Kind::kInteger, .range = {1, 100}};
constexpr std::array<std::string_view, 4> kTypes = {"USER", "SYSTEM", "AWS_BACKUP", "ALL"};
constexpr Shape kTypeShape = {.values = kTypes};
constexpr std::array<MemberShape, 6> kListMembers = {{
    {"TableName", &kTableNameShape},
    {"Limit", &kBackupLimitShape},
    {"TimeRangeLowerBound", &kLong},
    {"TimeRangeUpperBound", &kLong},
    {"ExclusiveStartBackupArn", &kBackupArnShape},
    {"BackupType", &kTypeShape},
}};
constexpr Shape kListInput = {.kind = Kind::kStructure, .members = kListMembers};

Status RunCreateBackup(const Context& context, const JsonObject& request, JsonWriter* response) {
  DOLMEN_ASSIGN_OR_RETURN(const std::string_view table, ManagedTableName(request));
  const auto backup = context.database.CreateBackup(
      {.table_name = std::string(table),
       .backup_name = std::string(StringMember(request, "BackupName"))});
  if (!backup.ok()) return TableNotFound(backup.status(), table);
  response->BeginObject();
  response->Key("BackupDetails");
  WriteBackupDetails(context.place, *backup, "CREATING", response);
  response->EndObject();
  return {};
}

// Writes the backup that `find` returns for the id in the request.
template <typename Find>
Status WriteBackup(const Context& context, const JsonObject& request, std::string_view status,
                   const Find& find, JsonWriter* response) {
  const std::string_view arn = StringMember(request, "BackupArn");
  DOLMEN_ASSIGN_OR_RETURN(const std::string id, BackupIdOf(arn));
  const Result<TableBackup> backup = find(id);
  if (!backup.ok()) return NamedByArn(backup.status(), id, arn);
  response->BeginObject();
  response->Key("BackupDescription");
  WriteBackupDescription(context.place, *backup, status, response);
  response->EndObject();
  return {};
}

Status RunDescribeBackup(const Context& context, const JsonObject& request, JsonWriter* response) {
  const auto find = [&](const std::string& id) { return context.database.DescribeBackup(id); };
  return WriteBackup(context, request, "AVAILABLE", find, response);
}

Status RunDeleteBackup(const Context& context, const JsonObject& request, JsonWriter* response) {
  const auto remove = [&](const std::string& id) { return context.database.DeleteBackup(id); };
  return WriteBackup(context, request, "DELETED", remove, response);
}

// The backups that a request of ListBackups selects.
struct BackupFilter {
  std::string_view table;  // empty: all tables
  std::string_view type;
  std::optional<Timestamp> lower;
  std::optional<Timestamp> upper;
  std::string_view after;  // the id of the last backup of the page before; empty: the first page

  bool Selects(const TableBackup& backup) const {
    if (!table.empty() && backup.table.name != table) return false;
    if (type != "ALL" && type != (backup.by_service ? "SYSTEM" : "USER")) return false;
    if (lower && backup.created_at < *lower) return false;
    if (upper && backup.created_at >= *upper) return false;
    return after.empty() || backup.id > after;
  }
};

Result<BackupFilter> ReadFilter(const JsonObject& request) {
  BackupFilter filter{.table = TableNameOf(StringMember(request, "TableName")),
                      .type = StringMember(request, "BackupType"),
                      .lower = TimeMember(request, "TimeRangeLowerBound"),
                      .upper = TimeMember(request, "TimeRangeUpperBound"),
                      .after = {}};
  if (filter.type.empty()) filter.type = "USER";
  if (filter.lower && filter.upper && *filter.lower > *filter.upper) {
    return Status::Validation("Time range lower bound must be less than or equal to upper bound");
  }
  const std::string_view start = StringMember(request, "ExclusiveStartBackupArn");
  if (start.empty()) return filter;
  DOLMEN_RETURN_IF_ERROR(BackupIdOf(start).status());
  filter.after = *BackupOfArn(start);
  return filter;
}

Status RunListBackups(const Context& context, const JsonObject& request, JsonWriter* response) {
  DOLMEN_ASSIGN_OR_RETURN(const BackupFilter filter, ReadFilter(request));
  DOLMEN_ASSIGN_OR_RETURN(const std::vector<TableBackup>& all, context.database.ListBackups());
  std::vector<const TableBackup*> selected;
  for (const TableBackup& backup : all) {
    if (filter.Selects(backup)) selected.push_back(&backup);
  }
  const auto limit = static_cast<std::size_t>(IntegerMember(request, "Limit").value_or(100));
  const bool has_more = selected.size() > limit;
  if (has_more) selected.resize(limit);
  response->BeginObject();
  response->Key("BackupSummaries");
  response->BeginArray();
  for (const TableBackup* backup : selected) WriteBackupSummary(context.place, *backup, response);
  response->EndArray();
  if (has_more) {
    response->StringField("LastEvaluatedBackupArn", ArnOf(context.place, *selected.back()));
  }
  response->EndObject();
  return {};
}

}  // namespace

Result<std::string> BackupIdOf(std::string_view arn) {
  const std::optional<std::string_view> id = BackupOfArn(arn);
  if (!id) return Status::Validation("Invalid Backup ARN");
  return std::string(*id);
}

Status NamedByArn(const Status& error, std::string_view id, std::string_view arn) {
  std::string message(error.message());
  if (!message.ends_with(id)) return error;
  message.resize(message.size() - id.size());
  return error.WithMessage(message.append(arn));
}

const Operation kCreateBackup = {.name = "CreateBackup",
                                 .input = &kCreateBackupInput,
                                 .run = RunCreateBackup,
                                 .missing_table = "TableNotFoundException",
                                 .is_long = true};
const Operation kDescribeBackup = {.name = "DescribeBackup",
                                   .input = &kBackupInput,
                                   .run = RunDescribeBackup,
                                   .missing_table = "BackupNotFoundException"};
const Operation kListBackups = {.name = "ListBackups", .input = &kListInput, .run = RunListBackups};
const Operation kDeleteBackup = {.name = "DeleteBackup",
                                 .input = &kBackupInput,
                                 .run = RunDeleteBackup,
                                 .missing_table = "BackupNotFoundException",
                                 .is_long = true};

}  // namespace dolmen::wire
