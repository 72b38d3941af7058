#include "wire/tag_operations.h"

#include <array>
#include <optional>
#include <utility>

#include "dolmen/internal/status_macros.h"
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

// NextToken is ignored: all tags of a table fit one page, so that no response has a token.
constexpr std::array<MemberShape, 2> kListTagsMembers = {{
    kResourceArn,
    {"NextToken", &kString},
}};
constexpr Shape kListTagsInput = {.kind = Kind::kStructure, .members = kListTagsMembers};

std::string_view ResourceOf(const JsonObject& request) {
  return StringMember(request, "ResourceArn");
}

// Checks the ResourceArn, and that the list with the name `list` is not empty. `empty` is the error
// message for an empty list.
Status CheckRequest(const JsonObject& request, std::string_view list, const char* empty) {
  DOLMEN_RETURN_IF_ERROR(CheckResource(ResourceOf(request)));
  const std::optional<Json> member = Member(request, list);
  const bool has_any = member && ArrayOf(*member).size() > 0;
  return has_any ? Status() : Status::Validation(empty);
}

// Returns the time to live of the table if a program hides the expired items (hide_expired).
std::optional<TimeToLiveDescription> HidingExpiry(const Context& context,
                                                  const TableDescription& table) {
  const auto expiry = context.database.DescribeTimeToLive(table.name);
  return expiry.ok() && expiry->hide_expired ? std::optional(*expiry) : std::nullopt;
}

// Returns the settings of the table. The tag kHideExpiredTag stands for hide_expired.
Map SettingsWithHiding(const Context& context, const TableDescription& table) {
  Map settings = SettingsOf(table);
  if (HidingExpiry(context, table)) SetHideExpiredTag(true, &settings);
  return settings;
}

// Stores the settings. A table that has lost the tag kHideExpiredTag shows its expired items again.
Status StoreTags(const Context& context, const TableDescription& table, Map settings) {
  if (const auto expiry = HidingExpiry(context, table)) {
    if (HasHideExpiredTag(settings)) {
      SetHideExpiredTag(false, &settings);  // hide_expired says it
    } else {
      const TimeToLiveSpecification shows{.attribute_name = expiry->attribute_name};
      DOLMEN_RETURN_IF_ERROR(
          context.database.UpdateTimeToLive({.table_name = table.name, .specification = shows})
              .status());
    }
  }
  return StoreSettings(context.database, table, std::move(settings));
}

Status RunTagResource(const Context& context, const JsonObject& request, JsonWriter*) {
  Tags tags;
  DOLMEN_RETURN_IF_ERROR(
      CheckRequest(request, "Tags", "Atleast one Tag needs to be provided as Input."));
  DOLMEN_RETURN_IF_ERROR(ReadTags(request, &tags));
  const auto lock = LockSettings();
  const Result<TableDescription> table = DescribeResource(context, ResourceOf(request));
  if (!table.ok()) return table.status();
  Map settings = SettingsWithHiding(context, *table);
  DOLMEN_RETURN_IF_ERROR(AddTags(tags, &settings));
  return StoreTags(context, *table, std::move(settings));
}

Status RunUntagResource(const Context& context, const JsonObject& request, JsonWriter*) {
  DOLMEN_RETURN_IF_ERROR(
      CheckRequest(request, "TagKeys", "Atleast one Tag Key needs to be provided as Input."));
  const auto lock = LockSettings();
  const Result<TableDescription> table = DescribeResource(context, ResourceOf(request));
  if (!table.ok()) return table.status();
  Map settings = SettingsWithHiding(context, *table);
  RemoveTags(request, &settings);
  return StoreTags(context, *table, std::move(settings));
}

Status RunListTagsOfResource(const Context& context, const JsonObject& request,
                             JsonWriter* response) {
  const Result<TableDescription> table = DescribeResource(context, ResourceOf(request));
  if (!table.ok()) return table.status();
  response->BeginObject();
  WriteTags(SettingsWithHiding(context, *table), response);
  response->EndObject();
  return {};
}

}  // namespace

const Operation kTagResource = {"TagResource", &kTagResourceInput, RunTagResource};
const Operation kUntagResource = {"UntagResource", &kUntagResourceInput, RunUntagResource};
const Operation kListTagsOfResource = {"ListTagsOfResource", &kListTagsInput,
                                       RunListTagsOfResource};

}  // namespace dolmen::wire
