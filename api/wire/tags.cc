#include "wire/tags.h"

#include <algorithm>
#include <string>

#include "engine/base/status_macros.h"
#include "wire/errors.h"
#include "wire/table_settings.h"

namespace dolmen::wire {
namespace {

constexpr std::string_view kTags = "Tags";
constexpr std::size_t kTagsMax = 50;

// Returns true if DynamoDB allows the byte of UTF-8 in a tag. Accepts every byte of a character
// outside ASCII, because most of these characters are letters.
bool IsTagByte(char c) {
  const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  const bool is_ascii = static_cast<unsigned char>(c) < 0x80;
  return is_letter || (c >= '0' && c <= '9') || !is_ascii ||
         std::string_view(" +-=._:/@").find(c) != std::string_view::npos;
}

Status CheckTagText(std::string_view text) {
  if (std::all_of(text.begin(), text.end(), IsTagByte)) return {};
  return InvalidParameter(
      std::string("A tag has only letters, digits, spaces and + - = . _ : / @, not: ")
          .append(text));
}

Status TooManyTags() { return InvalidParameter("A table has at most 50 tags"); }

}  // namespace

Status ReadTags(const JsonObject& request, Tags* tags) {
  const std::optional<Json> given = Member(request, kTags);
  if (!given) return {};
  for (const Json json : ArrayOf(*given)) {
    const std::string_view key = StringMember(ObjectOf(json), "Key");
    if (key.starts_with("aws:")) {
      return InvalidParameter("Tag keys that begin with aws: are reserved: " + std::string(key));
    }
    const std::string_view value = StringMember(ObjectOf(json), "Value");
    DOLMEN_RETURN_IF_ERROR(CheckTagText(key));
    DOLMEN_RETURN_IF_ERROR(CheckTagText(value));
    (*tags)[key] = value;
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

void WriteTags(const Map& settings, JsonWriter* json) {
  json->Key(kTags);
  json->BeginArray();
  for (const auto& [key, value] : MapIn(settings, kTags)) {
    json->BeginObject();
    json->StringField("Key", key);
    json->Key("Value");
    WritePlain(value, json);
    json->EndObject();
  }
  json->EndArray();
}

}  // namespace dolmen::wire
