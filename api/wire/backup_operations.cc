#include "wire/backup_operations.h"

#include <array>
#include <string>

#include "dolmen/internal/status_macros.h"
#include "wire/managed_table.h"
#include "wire/operation.h"

namespace dolmen::wire {
namespace {

constexpr std::array<MemberShape, 1> kBackupMembers = {{kManagedTableName}};
constexpr Shape kBackupInput = {.kind = Shape::Kind::kStructure, .members = kBackupMembers};

// Writes the state of a table whose point-in-time recovery was never enabled, because Dolmen has no
// such recovery. ContinuousBackupsStatus is ENABLED for every table of DynamoDB.
Status RunDescribeContinuousBackups(const Context& context, const JsonObject& request,
                                    JsonWriter* response) {
  DOLMEN_ASSIGN_OR_RETURN(const std::string_view name, ManagedTableName(request));
  const Status found = context.database.DescribeTable(name, ContentSizes::kOmit).status();
  if (found.code() == StatusCode::kResourceNotFound) {
    return Status::ResourceNotFound(std::string("Table not found: ").append(name));
  }
  DOLMEN_RETURN_IF_ERROR(found);
  response->BeginObject();
  response->Key("ContinuousBackupsDescription");
  response->BeginObject();
  response->StringField("ContinuousBackupsStatus", "ENABLED");
  response->Key("PointInTimeRecoveryDescription");
  response->BeginObject();
  response->StringField("PointInTimeRecoveryStatus", "DISABLED");
  response->EndObject();
  response->EndObject();
  response->EndObject();
  return {};
}

}  // namespace

const Operation kDescribeContinuousBackups = {.name = "DescribeContinuousBackups",
                                              .input = &kBackupInput,
                                              .run = RunDescribeContinuousBackups,
                                              .missing_table = "TableNotFoundException"};

}  // namespace dolmen::wire
