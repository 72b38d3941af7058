#include <string>

#include "engine/base/status_macros.h"
#include "wire/enum_names.h"
#include "wire/managed_table.h"
#include "wire/operation.h"

namespace dolmen::wire {
namespace {

using Kind = Shape::Kind;

constexpr Shape kAttributeNameShape = {.range = {1, 255}};
constexpr Structure kSpecificationShape = {{
    Named("TimeToLiveSpecification"),
    {"Enabled", &kBoolean, true},
    {"AttributeName", &kAttributeNameShape, true},
}};
constexpr Structure kUpdateTimeToLiveInput = {{
    kManagedTableName,
    {"TimeToLiveSpecification", &kSpecificationShape, true},
}};

constexpr Structure kDescribeTimeToLiveInput = {{
    kManagedTableName,
}};

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
  response->StringField("TimeToLiveStatus", kNames<TimeToLiveStatus>.NameOf(described->status));
  if (!described->attribute_name.empty()) {
    response->StringField("AttributeName", described->attribute_name);
  }
  response->EndObject();
  response->EndObject();
  return {};
}

}  // namespace

std::span<const Operation> TimeToLiveOperations() {
  static constexpr Operation kOperations[] = {
      {"UpdateTimeToLive", &kUpdateTimeToLiveInput, RunUpdateTimeToLive},
      {"DescribeTimeToLive", &kDescribeTimeToLiveInput, RunDescribeTimeToLive},
  };
  return kOperations;
}

}  // namespace dolmen::wire
