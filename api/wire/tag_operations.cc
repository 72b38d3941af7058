#include "wire/tag_operations.h"

#include <array>
#include <optional>
#include <utility>

#include "engine/base/status_macros.h"
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

// The time to live of a table that hides expired items (hide_expired). Nothing: the table hides none.
using Hiding = std::optional<TimeToLiveDescription>;

Result<Hiding> HidingOf(const Context& context, const TableDescription& table) {
  return context.database.DescribeTimeToLive(table.name)
      .transform([](TimeToLiveDescription expiry) {
        return expiry.hide_expired ? Hiding(expiry) : Hiding();
      });
}

// Returns the settings of the table. The tag kHideExpiredTag stands for hide_expired.
Map SettingsWithHiding(const TableDescription& table, const Hiding& hiding) {
  Map settings = SettingsOf(table);
  if (hiding) SetHideExpiredTag(true, &settings);
  return settings;
}

// Stores settings that SettingsWithHiding returned for `hiding` and that a request has changed. A
// table that has lost the tag kHideExpiredTag shows its expired items again.
Status StoreTags(const Context& context, const TableDescription& table, const Hiding& hiding,
                 Map settings) {
  if (hiding && HasHideExpiredTag(settings)) {
    SetHideExpiredTag(false, &settings);  // The table stores hide_expired itself.
  } else if (hiding) {
    const TimeToLiveSpecification shows{.attribute_name = hiding->attribute_name};
    DOLMEN_RETURN_IF_ERROR(
        context.database.UpdateTimeToLive({.table_name = table.name, .specification = shows})
            .status());
  }
  return StoreSettings(context.database, table, std::move(settings));
}

// Changes the tags of the request's table by `change(&settings)`, which returns a Status. Reads
// hide_expired once, because a program may change it during the request.
template <typename Change>
Status ChangeTags(const Context& context, const JsonObject& request, const Change& change) {
  const auto lock = LockSettings();
  DOLMEN_ASSIGN_OR_RETURN(const TableDescription& table,
                          DescribeResource(context, ResourceOf(request)));
  DOLMEN_ASSIGN_OR_RETURN(const Hiding& hiding, HidingOf(context, table));
  Map settings = SettingsWithHiding(table, hiding);
  DOLMEN_RETURN_IF_ERROR(change(&settings));
  return StoreTags(context, table, hiding, std::move(settings));
}

Status RunTagResource(const Context& context, const JsonObject& request, JsonWriter*) {
  Tags tags;
  DOLMEN_RETURN_IF_ERROR(
      CheckRequest(request, "Tags", "Atleast one Tag needs to be provided as Input."));
  DOLMEN_RETURN_IF_ERROR(ReadTags(request, &tags));
  return ChangeTags(context, request, [&](Map* settings) { return AddTags(tags, settings); });
}

Status RunUntagResource(const Context& context, const JsonObject& request, JsonWriter*) {
  DOLMEN_RETURN_IF_ERROR(
      CheckRequest(request, "TagKeys", "Atleast one Tag Key needs to be provided as Input."));
  return ChangeTags(context, request, [&](Map* settings) {
    RemoveTags(request, settings);
    return Status();
  });
}

Status RunListTagsOfResource(const Context& context, const JsonObject& request,
                             JsonWriter* response) {
  DOLMEN_ASSIGN_OR_RETURN(const TableDescription& table,
                          DescribeResource(context, ResourceOf(request)));
  DOLMEN_ASSIGN_OR_RETURN(const Hiding& hiding, HidingOf(context, table));
  response->BeginObject();
  WriteTags(SettingsWithHiding(table, hiding), response);
  response->EndObject();
  return {};
}

}  // namespace

const Operation kTagResource = {"TagResource", &kTagResourceInput, RunTagResource};
const Operation kUntagResource = {"UntagResource", &kUntagResourceInput, RunUntagResource};
const Operation kListTagsOfResource = {"ListTagsOfResource", &kListTagsInput,
                                       RunListTagsOfResource};

}  // namespace dolmen::wire
