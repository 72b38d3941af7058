#include "wire/tags.h"

#include <string>

#include "wire/errors.h"
#include "wire/table_settings.h"

namespace dolmen::wire {
namespace {

constexpr std::string_view kTags = "Tags";
constexpr std::size_t kTagsMax = 50;

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
    (*tags)[key] = StringMember(ObjectOf(json), "Value");
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
