// TagResource, UntagResource and ListTagsOfResource.

#include <array>
#include <utility>

#include "wire/managed_table.h"
#include "wire/operation.h"
#include "wire/table_settings.h"
#include "wire/table_shapes.h"
#include "wire/tags.h"

namespace dolmen::wire {
namespace {

using Kind = Shape::Kind;

constexpr Shape kResourceArnShape = {.range = {1, 1283}};
constexpr MemberShape kResourceArn = {"ResourceArn", &kResourceArnShape, true};
constexpr Shape kTagKeysShape = {.kind = Kind::kList, .element = &kTagKeyShape};

constexpr std::array<MemberShape, 2> kTagResourceMembers = {{
    kResourceArn,
    {"Tags", &kTagsShape, true},
}};
constexpr Shape kTagResourceInput = {.kind = Kind::kStructure, .members = kTagResourceMembers};

constexpr std::array<MemberShape, 2> kUntagResourceMembers = {{
    kResourceArn,
    {"TagKeys", &kTagKeysShape, true},
}};
constexpr Shape kUntagResourceInput = {.kind = Kind::kStructure, .members = kUntagResourceMembers};

// All tags of a table fit one page, so that no token is given out.
constexpr std::array<MemberShape, 2> kListTagsMembers = {{
    kResourceArn,
    {"NextToken", &kString},
}};
constexpr Shape kListTagsInput = {.kind = Kind::kStructure, .members = kListTagsMembers};

Result<TableDescription> DescribeTagged(const Context& context, const JsonObject& request) {
  return DescribeResource(context, StringMember(request, "ResourceArn"));
}

bool IsEmpty(const JsonObject& request, std::string_view list) {
  const std::optional<Json> member = Member(request, list);
  return !member || ArrayOf(*member).size() == 0;
}

Status Store(const Context& context, const TableDescription& table, Map settings) {
  UpdateTableInput input{.name = table.name, .annotations = table.annotations};
  SetSettings(std::move(settings), &*input.annotations);
  return context.database.UpdateTable(input).status();
}

Status RunTagResource(const Context& context, const JsonObject& request, JsonWriter*) {
  const auto changing = LockSettings();
  const Result<TableDescription> table = DescribeTagged(context, request);
  if (!table.ok() && table.status().code() == StatusCode::kValidation) return table.status();
  if (IsEmpty(request, "Tags")) {
    return Status::Validation("Atleast one Tag needs to be provided as Input.");
  }
  if (!table.ok()) return table.status();
  Map settings = SettingsOf(*table);
  if (Status read = ReadTags(request, &settings); !read.ok()) return read;
  return Store(context, *table, std::move(settings));
}

Status RunUntagResource(const Context& context, const JsonObject& request, JsonWriter*) {
  const auto changing = LockSettings();
  const Result<TableDescription> table = DescribeTagged(context, request);
  if (!table.ok() && table.status().code() == StatusCode::kValidation) return table.status();
  if (IsEmpty(request, "TagKeys")) {
    return Status::Validation("Atleast one Tag Key needs to be provided as Input.");
  }
  if (!table.ok()) return table.status();
  Map settings = SettingsOf(*table);
  RemoveTags(request, &settings);
  return Store(context, *table, std::move(settings));
}

Status RunListTagsOfResource(const Context& context, const JsonObject& request,
                             JsonWriter* response) {
  const Result<TableDescription> table = DescribeTagged(context, request);
  if (!table.ok()) return table.status();
  response->BeginObject();
  WriteTags(SettingsOf(*table), response);
  response->EndObject();
  return {};
}

}  // namespace

const Operation kTagResource = {"TagResource", &kTagResourceInput, RunTagResource};
const Operation kUntagResource = {"UntagResource", &kUntagResourceInput, RunUntagResource};
const Operation kListTagsOfResource = {"ListTagsOfResource", &kListTagsInput,
                                       RunListTagsOfResource};

}  // namespace dolmen::wire
