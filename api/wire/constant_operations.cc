#include <string>

#include "engine/base/status_macros.h"
#include "wire/endpoints.h"
#include "wire/managed_table.h"
#include "wire/operation.h"

namespace dolmen::wire {
namespace {

constexpr Shape kEmptyInput = {.kind = Shape::Kind::kStructure};

// The limits that a new AWS account has. Dolmen enforces none of them.
constexpr std::string_view kLimits =
    R"({"AccountMaxReadCapacityUnits":80000,"AccountMaxWriteCapacityUnits":80000,)"
    R"("TableMaxReadCapacityUnits":40000,"TableMaxWriteCapacityUnits":40000})";

// An endpoint address that does not resolve, for clients without a server. An SDK with endpoint
// discovery sends all later requests to the address in the response, and the address of a real region
// would send a test's writes to AWS. With this address the client fails at once, and its error names the
// address. A server responds with its own address (WriteEndpoints).
constexpr std::string_view kNoAddress = "dynamodb.ddblocal.amazonaws.com";

Status RunDescribeEndpoints(const Context&, const JsonObject&, JsonWriter* response) {
  WriteEndpoints(kNoAddress, response);
  return {};
}

constexpr std::string_view kNoGlobalTables = R"({"GlobalTables":[]})";

template <const std::string_view& kText>
Status Answer(const Context&, const JsonObject&, JsonWriter* response) {
  response->Raw(kText);
  return {};
}

using Kind = Shape::Kind;

constexpr std::string_view kGlobalTableName = "GlobalTableName";
constexpr MemberShape kRequiredGlobalTableName = {kGlobalTableName, &kNameOfAnyLengthShape, true};

constexpr Structure kGlobalReplicaShape = {{
    Named("Replica"),
    {"RegionName", &kString},
}};
constexpr Shape kGlobalReplicasShape = {.kind = Kind::kList, .element = &kGlobalReplicaShape};
constexpr Structure kCreateGlobalInput = {{
    kRequiredGlobalTableName,
    {"ReplicationGroup", &kGlobalReplicasShape, true},
}};

constexpr Shape kGlobalUpdateShape = {.kind = Kind::kStructure, .name = "ReplicaUpdate"};
constexpr Shape kGlobalUpdatesShape = {.kind = Kind::kList, .element = &kGlobalUpdateShape};
constexpr Structure kUpdateGlobalInput = {{
    kRequiredGlobalTableName,
    {"ReplicaUpdates", &kGlobalUpdatesShape, true},
}};

constexpr Structure kGlobalTableInput = {{
    kRequiredGlobalTableName,
}};

constexpr Shape kGlobalLimitShape = {.kind = Kind::kInteger, .range = {.min = 1}};
constexpr Structure kListGlobalInput = {{
    {"ExclusiveStartGlobalTableName", &kIndexNameShape},
    {"Limit", &kGlobalLimitShape},
    {"RegionName", &kString},
}};

Status CheckGlobalTableName(const JsonObject& request) {
  return CheckNameLength("TableName", StringMember(request, kGlobalTableName));
}

Status RunCreateGlobalTable(const Context&, const JsonObject& request, JsonWriter*) {
  DOLMEN_RETURN_IF_ERROR(CheckGlobalTableName(request));
  return Status::Validation(
      "Creating a global table with global tables version 2017.11.29 is not supported: add "
      "replicas "
      "to the table with UpdateTable");
}

Status FailAsNoGlobalTable(const Context& context, const JsonObject& request, JsonWriter*) {
  DOLMEN_RETURN_IF_ERROR(CheckGlobalTableName(request));
  return Fail(context, "GlobalTableNotFoundException",
              std::string("Global table with name: ")
                  .append(StringMember(request, kGlobalTableName))
                  .append(" does not exist."));
}

constexpr Shape kVectorShape = {
    .kind = Kind::kList, .element = &kAttributeValueShape, .range = {1, 4096}};
constexpr Shape kTopKShape = {.kind = Kind::kInteger, .range = {.min = 1}};
constexpr Structure kSearchVectorsInput = {{
    {"TableName", &kTableNameShape, true},
    {"IndexName", &kIndexNameShape, true},
    {"SearchVector", &kVectorShape, true},
    {"TopK", &kTopKShape, true},
}};

Status RunSearchVectors(const Context& context, const JsonObject& request, JsonWriter*) {
  DOLMEN_RETURN_IF_ERROR(
      context.database.OpenTable(TableNameOf(StringMember(request, "TableName"))).status());
  return Status::Validation(std::string("The table does not have the specified index: ")
                                .append(StringMember(request, "IndexName")));
}

}  // namespace

void WriteEndpoints(std::string_view address, JsonWriter* json) {
  json->BeginObject();
  json->Key("Endpoints");
  json->BeginArray();
  json->BeginObject();
  json->StringField("Address", address);
  json->IntegerField("CachePeriodInMinutes", 1440);
  json->EndObject();
  json->EndArray();
  json->EndObject();
}

std::span<const Operation> ConstantOperations() {
  static constexpr Operation kOperations[] = {
      {"DescribeLimits", &kEmptyInput, Answer<kLimits>},
      {"DescribeEndpoints", &kEmptyInput, RunDescribeEndpoints},
      {"CreateGlobalTable", &kCreateGlobalInput, RunCreateGlobalTable},
      {"DescribeGlobalTable", &kGlobalTableInput, FailAsNoGlobalTable},
      {"UpdateGlobalTable", &kUpdateGlobalInput, FailAsNoGlobalTable},
      {"DescribeGlobalTableSettings", &kGlobalTableInput, FailAsNoGlobalTable},
      {"UpdateGlobalTableSettings", &kGlobalTableInput, FailAsNoGlobalTable},
      {"ListGlobalTables", &kListGlobalInput, Answer<kNoGlobalTables>},
      {"SearchVectors", &kSearchVectorsInput, RunSearchVectors},
  };
  return kOperations;
}

}  // namespace dolmen::wire
