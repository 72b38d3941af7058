#include "wire/global_table_operations.h"

#include <array>
#include <string>

namespace dolmen::wire {
namespace {

using Kind = Shape::Kind;

constexpr std::string_view kGlobalTableName = "GlobalTableName";
constexpr MemberShape kRequiredGlobalTableName = {kGlobalTableName, &kIndexNameShape, true};

constexpr std::array<MemberShape, 1> kGlobalReplicaMembers = {{{"RegionName", &kString}}};
constexpr Shape kGlobalReplicaShape = {
    .kind = Kind::kStructure, .name = "Replica", .members = kGlobalReplicaMembers};
constexpr Shape kGlobalReplicasShape = {.kind = Kind::kList, .element = &kGlobalReplicaShape};
constexpr std::array<MemberShape, 2> kCreateGlobalMembers = {{
    kRequiredGlobalTableName,
    {"ReplicationGroup", &kGlobalReplicasShape, true},
}};
constexpr Shape kCreateGlobalInput = {.kind = Kind::kStructure, .members = kCreateGlobalMembers};

constexpr Shape kGlobalUpdateShape = {.kind = Kind::kStructure, .name = "ReplicaUpdate"};
constexpr Shape kGlobalUpdatesShape = {.kind = Kind::kList, .element = &kGlobalUpdateShape};
constexpr std::array<MemberShape, 2> kUpdateGlobalMembers = {{
    kRequiredGlobalTableName,
    {"ReplicaUpdates", &kGlobalUpdatesShape, true},
}};
constexpr Shape kUpdateGlobalInput = {.kind = Kind::kStructure, .members = kUpdateGlobalMembers};

constexpr std::array<MemberShape, 1> kGlobalTableMembers = {{kRequiredGlobalTableName}};
constexpr Shape kGlobalTableInput = {.kind = Kind::kStructure, .members = kGlobalTableMembers};

constexpr Shape kGlobalLimitShape = {.kind = Kind::kInteger, .range = {.min = 1}};
constexpr std::array<MemberShape, 3> kListGlobalMembers = {{
    {"ExclusiveStartGlobalTableName", &kIndexNameShape},
    {"Limit", &kGlobalLimitShape},
    {"RegionName", &kString},
}};
constexpr Shape kListGlobalInput = {.kind = Kind::kStructure, .members = kListGlobalMembers};

Status RunCreateGlobalTable(const Context&, const JsonObject&, JsonWriter*) {
  return Status::Validation(
      "Creating a global table with global tables version 2017.11.29 is not supported: add "
      "replicas "
      "to the table with UpdateTable");
}

Status FailAsNoGlobalTable(const Context& context, const JsonObject& request, JsonWriter*) {
  return Fail(context, "GlobalTableNotFoundException",
              std::string("Global table with name: ")
                  .append(StringMember(request, kGlobalTableName))
                  .append(" does not exist."));
}

Status RunListGlobalTables(const Context&, const JsonObject&, JsonWriter* response) {
  response->BeginObject();
  response->Key("GlobalTables");
  response->BeginArray();
  response->EndArray();
  response->EndObject();
  return {};
}

}  // namespace

const Operation kCreateGlobalTable = {"CreateGlobalTable", &kCreateGlobalInput,
                                      RunCreateGlobalTable};
const Operation kDescribeGlobalTable = {"DescribeGlobalTable", &kGlobalTableInput,
                                        FailAsNoGlobalTable};
const Operation kUpdateGlobalTable = {"UpdateGlobalTable", &kUpdateGlobalInput,
                                      FailAsNoGlobalTable};
const Operation kDescribeGlobalTableSettings = {"DescribeGlobalTableSettings", &kGlobalTableInput,
                                                FailAsNoGlobalTable};
const Operation kUpdateGlobalTableSettings = {"UpdateGlobalTableSettings", &kGlobalTableInput,
                                              FailAsNoGlobalTable};
const Operation kListGlobalTables = {"ListGlobalTables", &kListGlobalInput, RunListGlobalTables};

}  // namespace dolmen::wire
