#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "engine/base/status_macros.h"
#include "wire/errors.h"
#include "wire/java_text.h"
#include "wire/managed_table.h"
#include "wire/operation.h"
#include "wire/table_json.h"
#include "wire/table_settings.h"
#include "wire/tags.h"

namespace dolmen::wire {
namespace {

constexpr std::string_view kTags = "Tags";
constexpr std::size_t kTagsMax = 50;
constexpr std::size_t kTagKeyMax = 128;
constexpr std::size_t kTagValueMax = 256;

// Returns true if DynamoDB allows the byte of UTF-8 in a tag. Accepts every byte of a character
// outside ASCII, because most of these characters are letters.
bool IsTagByte(char c) {
  const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  const bool is_ascii = static_cast<unsigned char>(c) < 0x80;
  return is_letter || (c >= '0' && c <= '9') || !is_ascii ||
         std::string_view(" +-=._:/@").find(c) != std::string_view::npos;
}

// Returns true if DynamoDB allows the text in a tag. Counts units of UTF-16, as in Java: four bytes of
// UTF-8 are two units.
bool IsTagText(std::string_view text, std::size_t units_max) {
  std::size_t units = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    units += ((byte & 0xC0) != 0x80 ? 1U : 0U) + (byte >= 0xF0 ? 1U : 0U);
  }
  return units <= units_max && std::all_of(text.begin(), text.end(), IsTagByte);
}

Status InvalidTag(std::string_view what, std::string_view text) {
  return Status::Validation(std::string(what).append(": ").append(Truncated(text)));
}

Status TooManyTags() {
  return Status::Validation("Number of Tags exceed the current limit for the provided ResourceArn");
}

// Checks a tag of a request. Absent members have the text "null".
Status CheckTag(const JsonObject& tag) {
  const std::string_view key = Member(tag, "Key") ? StringMember(tag, "Key") : "null";
  const std::string_view value = Member(tag, "Value") ? StringMember(tag, "Value") : "null";
  if (!Member(tag, "Key") || key.empty() || !IsTagText(key, kTagKeyMax)) {
    return InvalidTag("The Tag Key provided is invalid, Key", key);
  }
  if (key.starts_with("aws:")) return InvalidTag("Tag Key cannot be prefixed with aws:, Key", key);
  if (!Member(tag, "Value") || !IsTagText(value, kTagValueMax)) {
    return InvalidTag("The Tag Value provided is invalid, Value", value);
  }
  return {};
}

}  // namespace

Status ReadTags(const JsonObject& request, Tags* tags) {
  const std::optional<Json> given = Member(request, kTags);
  if (!given) return {};
  for (const Json json : ArrayOf(*given)) {
    DOLMEN_RETURN_IF_ERROR(CheckTag(ObjectOf(json)));
    const std::string_view key = StringMember(ObjectOf(json), "Key");
    if (!tags->emplace(key, StringMember(ObjectOf(json), "Value")).second) {
      return Status::Validation(
          std::string("Duplicate Tag Keys provided as input: Duplicate Tag Key found ")
              .append(key));
    }
    if (tags->size() > kTagsMax) return TooManyTags();
  }
  return {};
}

Status AddTags(const Tags& added, Map* settings) {
  if (added.empty()) return {};
  Map& tags = MapToChange(settings, kTags);
  for (const auto& [key, value] : added) Set(key, value, &tags);
  return tags.size() <= kTagsMax ? Status() : TooManyTags();
}

void RemoveTags(const JsonObject& request, Map* settings) {
  const std::optional<Json> keys = Member(request, "TagKeys");
  if (!keys) return;
  Map& tags = MapToChange(settings, kTags);
  for (const Json key : ArrayOf(*keys)) Remove(StringOf(key), &tags);
}

bool HasHideExpiredTag(const Map& settings) {
  return TextIn(MapIn(settings, kTags), kHideExpiredTag) == "true";
}

void SetHideExpiredTag(bool hides, Map* settings) {
  Map& tags = MapToChange(settings, kTags);
  if (hides) {
    Set(kHideExpiredTag, "true", &tags);
  } else {
    Remove(kHideExpiredTag, &tags);
  }
}

std::vector<Tag> TagsOf(const Map& settings) {
  std::vector<Tag> tags;
  const Map& stored = MapIn(settings, kTags);
  for (const auto& tag : stored) {
    tags.push_back({tag.first, std::string(TextIn(stored, tag.first))});
  }
  return tags;
}

namespace {

using Kind = Shape::Kind;

constexpr MemberShape kResourceArn = {"ResourceArn", &kResourceArnShape, true};
constexpr Shape kTagKeyShape = {.range = {1, kTagKeyMax}};
constexpr Shape kTagKeysShape = {.kind = Kind::kList, .element = &kTagKeyShape};

constexpr Structure kUntagResourceInput = {{
    kResourceArn,
    {"TagKeys", &kTagKeysShape, true},
}};

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
  Encode(ListTagsOutput{.tags = TagsOf(SettingsWithHiding(table, hiding))}, response);
  return {};
}

}  // namespace

std::span<const Operation> TagOperations() {
  static constexpr Operation kOperations[] = {
      {"TagResource", &kMembers<TagResourceInput>, RunTagResource},
      {"UntagResource", &kUntagResourceInput, RunUntagResource},
      {"ListTagsOfResource", &kMembers<ListTagsInput>, RunListTagsOfResource},
  };
  return kOperations;
}

}  // namespace dolmen::wire
