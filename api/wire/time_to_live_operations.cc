#include "wire/time_to_live_operations.h"

#include <array>
#include <string>

#include "engine/base/status_macros.h"
#include "wire/enum_names.h"
#include "wire/managed_table.h"
#include "wire/operation.h"

namespace dolmen::wire {
namespace {

using Kind = Shape::Kind;

constexpr Shape kAttributeNameShape = {.range = {1, 255}};
constexpr std::array<MemberShape, 2> kSpecificationMembers = {{
    {"Enabled", &kBoolean, true},
    {"AttributeName", &kAttributeNameShape, true},
}};
constexpr Shape kSpecificationShape = {
    .kind = Kind::kStructure, .name = "TimeToLiveSpecification", .members = kSpecificationMembers};
constexpr std::array<MemberShape, 2> kUpdateTimeToLiveMembers = {{
    kManagedTableName,
    {"TimeToLiveSpecification", &kSpecificationShape, true},
}};
constexpr Shape kUpdateTimeToLiveInput = {.kind = Kind::kStructure,
                                          .members = kUpdateTimeToLiveMembers};

constexpr std::array<MemberShape, 1> kDescribeMembers = {{kManagedTableName}};
constexpr Shape kDescribeTimeToLiveInput = {.kind = Kind::kStructure, .members = kDescribeMembers};

Status RunUpdateTimeToLive(const Context& context, const JsonObject& request,
                           JsonWriter* response) {
  DOLMEN_ASSIGN_OR_RETURN(const std::string_view name, ManagedTableName(request));
  const Result<TimeToLiveDescription> before = context.database.DescribeTimeToLive(name);
  if (!before.ok()) return before.status();
  const JsonObject json = ObjectOf(*Member(request, "TimeToLiveSpecification"));
  // The request leaves hide_expired unchanged, because DynamoDB's API has no parameter for it.
  const Result<TimeToLiveSpecification> changed = context.database.UpdateTimeToLive(
      {.table_name = std::string(name),
       .specification = {.enabled = BooleanMember(json, "Enabled"),
                         .attribute_name = std::string(StringMember(json, "AttributeName")),
                         .hide_expired = before->hide_expired}});
  if (!changed.ok()) return changed.status();
  response->BeginObject();
  response->Key("TimeToLiveSpecification");
  response->BeginObject();
  response->BooleanField("Enabled", changed->enabled);
  response->StringField("AttributeName", changed->attribute_name);
  response->EndObject();
  response->EndObject();
  return {};
}

Status RunDescribeTimeToLive(const Context& context, const JsonObject& request,
                             JsonWriter* response) {
  DOLMEN_ASSIGN_OR_RETURN(const std::string_view name, ManagedTableName(request));
  const Result<TimeToLiveDescription> described = context.database.DescribeTimeToLive(name);
  if (!described.ok()) return described.status();
  response->BeginObject();
  response->Key("TimeToLiveDescription");
  response->BeginObject();
  response->StringField("TimeToLiveStatus", kTimeToLiveStatusNames.NameOf(described->status));
  if (!described->attribute_name.empty()) {
    response->StringField("AttributeName", described->attribute_name);
  }
  response->EndObject();
  response->EndObject();
  return {};
}

}  // namespace

const Operation kUpdateTimeToLive = {"UpdateTimeToLive", &kUpdateTimeToLiveInput,
                                     RunUpdateTimeToLive};
const Operation kDescribeTimeToLive = {"DescribeTimeToLive", &kDescribeTimeToLiveInput,
                                       RunDescribeTimeToLive};

}  // namespace dolmen::wire
