#include "wire/untyped_json.h"

#include <memory>
#include <utility>
#include <vector>

#include "engine/base/status_macros.h"
#include "engine/value/codec.h"
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
  DOLMEN_RETURN_IF_ERROR(At(place, Read(json, 1, &value, &place)));
  return value;
}

Result<Item> UntypedJson::ItemOf(const JsonObject& members) const {
  Item item;
  std::string place;
  const Status read = ReadMembers(members, 1, &item, &place);
  if (!read.ok()) return At(place, read);
  return item;
}

Status UntypedJson::Read(const Json& json, int level, AttributeValue* value,
                         std::string* place) const {
  if (level > engine::kNestingLevelsMax) return engine::NestedTooDeep();
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
        const Status read = Read(element, level + 1, &list.emplace_back(), place);
        if (!read.ok()) place->insert(0, "[" + std::to_string(list.size() - 1) + "]");
        DOLMEN_RETURN_IF_ERROR(read);
      }
      *value = std::move(list);
      return {};
    }
    case JsonType::OBJECT: {
      Map map;
      DOLMEN_RETURN_IF_ERROR(ReadMembers(ObjectOf(json), level + 1, &map, place));
      *value = std::move(map);
      return {};
    }
    default:
      return ReadNumber(json, value);
  }
}

Status UntypedJson::ReadMembers(const JsonObject& members, int level, Map* map,
                                std::string* place) const {
  // On the heap, because a map in each level would take half a kilobyte of the stack.
  const std::unique_ptr<const JsonEntries> entries(new JsonEntries(EntriesOf(members)));
  const Places places = PlacesByName(*entries);
  std::vector<Map::value_type> sorted(entries->size());
  for (std::size_t i = 0; i < entries->size(); ++i) {
    const auto& [name, json] = (*entries)[i];
    auto& [key, value] = sorted[places[i]];
    key = name;
    const Status read = Read(json, level, &value, place);
    if (!read.ok()) place->insert(0, "." + std::string(name));
    DOLMEN_RETURN_IF_ERROR(read);
  }
  *map = Map::FromSorted(std::move(sorted));
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
