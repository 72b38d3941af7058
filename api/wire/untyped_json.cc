#include "wire/untyped_json.h"

#include <utility>

#include "engine/base/status_macros.h"
#include "wire/java_text.h"
#include "wire/json_text.h"

namespace dolmen::wire {
namespace {

// Returns the error with the place, which begins with a dot or a bracket, before the message.
Status At(const std::string& place, const Status& status) {
  if (status.ok() || place.empty()) return status;
  return Status::Validation(place.substr(place.starts_with('.') ? 1 : 0) + ": " + status.message());
}

}  // namespace

Result<Json> UntypedJson::Parse(std::string_view text, std::string_view name) {
  numbers_.clear();
  const std::string numbered = ReplaceNumbers(text, [this](std::string_view number) {
    numbers_.push_back(number);
    return std::to_string(numbers_.size() - 1);
  });
  return ParseJson(numbered, name, &parser_);
}

Result<AttributeValue> UntypedJson::ValueOf(const Json& json) const {
  AttributeValue value;
  std::string place;
  DOLMEN_RETURN_IF_ERROR(At(place, Read(json, &value, &place)));
  return value;
}

Result<Item> UntypedJson::ItemOf(const JsonObject& members) const {
  Item item;
  std::string place;
  const Status read = ReadMembers(members, &item, &place);
  if (!read.ok()) return At(place, read);
  return item;
}

Status UntypedJson::Read(const Json& json, AttributeValue* value, std::string* place) const {
  switch (json.type()) {
    case JsonType::NULL_VALUE:
      *value = nullptr;
      return {};
    case JsonType::BOOL:
      *value = BooleanOf(json);
      return {};
    case JsonType::STRING:
      *value = StringOf(json);
      return {};
    case JsonType::ARRAY: {
      List list;
      for (const Json element : ArrayOf(json)) {
        const Status read = Read(element, &list.emplace_back(), place);
        if (!read.ok()) place->insert(0, "[" + std::to_string(list.size() - 1) + "]");
        DOLMEN_RETURN_IF_ERROR(read);
      }
      *value = std::move(list);
      return {};
    }
    case JsonType::OBJECT: {
      Map map;
      DOLMEN_RETURN_IF_ERROR(ReadMembers(ObjectOf(json), &map, place));
      *value = std::move(map);
      return {};
    }
    default:
      return ReadNumber(json, value);
  }
}

Status UntypedJson::ReadMembers(const JsonObject& members, Map* map, std::string* place) const {
  for (const simdjson::dom::key_value_pair member : members) {
    AttributeValue value;
    const Status read = Read(member.value, &value, place);
    if (!read.ok()) place->insert(0, "." + std::string(member.key));
    DOLMEN_RETURN_IF_ERROR(read);
    map->insert_or_assign(std::string(member.key), std::move(value));
  }
  return {};
}

Status UntypedJson::ReadNumber(const Json& json, AttributeValue* value) const {
  const std::string_view text = numbers_[static_cast<std::size_t>(IntegerOf(json))];
  const Result<Number> number = Number::Parse(text);
  if (!number.ok()) {
    return Status::Validation("the number " + std::string(Truncated(text)) +
                              " is refused: " + number.status().message());
  }
  *value = *number;
  return {};
}

}  // namespace dolmen::wire
