// Conversion of attribute values and items from DynamoDB's JSON.

#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dolmen/attribute_value.h"
#include "dolmen/internal/flat_map.h"
#include "dolmen/item_view.h"
#include "dolmen/result.h"
#include "engine/base/status_macros.h"
#include "engine/value/codec.h"
#include "wire/json.h"
#include "wire/value_faults.h"

namespace dolmen::wire {

// Does the work of ReadMap for the entries of an object. Changes `*entries`.
template <typename T, typename Read>
Status ReadEntries(JsonEntries* entries, const Read& read, internal::FlatMap<T>* map) {
  const auto is_null = [](const auto& entry) { return entry.second.is_null(); };
  entries->erase(std::remove_if(entries->begin(), entries->end(), is_null), entries->end());
  const Places places = PlacesByName(*entries);
  std::vector<std::pair<std::string, T>> members(entries->size());
  for (std::size_t i = 0; i < entries->size(); ++i) {
    const auto& [name, json] = (*entries)[i];
    auto& [key, value] = members[places[i]];
    key = name;
    DOLMEN_RETURN_IF_ERROR(read(name, json, &value));
  }
  *map = internal::FlatMap<T>::FromSorted(std::move(members));
  return {};
}

// Reads the members of an object into a map. Leaves out members whose value is null. `read(name, json,
// &value)` converts one value. It is called in the order of the text, so the error that is returned
// is that of the first invalid value. After an error `map` is unchanged.
template <typename T, typename Read>
Status ReadMap(const JsonObject& object, const Read& read, internal::FlatMap<T>* map) {
  JsonEntries entries = EntriesOf(object);
  return ReadEntries(&entries, read, map);
}

// The largest number of lists and maps around a scalar in an item.
inline constexpr int kContainersMax = engine::kNestingLevelsMax - 1;

// Returns true for the name of a type in DynamoDB's JSON: "S", "NS".
bool IsTypeName(std::string_view name);

// Reads a value whose JSON types Check (constraints.h) has accepted. After an error `value` is
// unspecified. The error is one of those of value_faults.h:
// - kValidation: a number cannot be parsed, a set is empty or has a null or a duplicate, lists and maps
//   nest too deeply, or the value has no type or more than one type.
Status ReadValue(const Json& json, AttributeValue* value, Checker checker = Checker::kCurrent,
                 int containers_max = kContainersMax);

// Reads a map of attributes by name. After an error `attributes` is unspecified.
// - kValidation: a value is invalid, as for ReadValue.
Status ReadAttributes(const JsonObject& json, Map* attributes, Checker checker = Checker::kCurrent);

// Reads an item from JSON that has not been checked.
// - kValidation: a value is invalid, as for ReadValue, or a JSON type is wrong. In the second case
//   the message is that of DynamoDB's SerializationException.
Result<Item> ReadItem(const Json& json);

// Reads an item of a file that a user has written. Fails as ReadItem does, with a message that begins with
// the name of the invalid attribute and its JSON, cut to a few lines.
Result<Item> ReadNamedItem(const Json& json);

// Reads an item of a response that a client has received.
// - kInternalServerError: the JSON is not an item.
Result<StoredItem> ReadStored(const Json& json);

}  // namespace dolmen::wire
