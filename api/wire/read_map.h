// Conversion of a JSON object that stands for a map.

#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dolmen/internal/flat_map.h"
#include "dolmen/result.h"
#include "engine/base/status_macros.h"
#include "wire/json.h"

namespace dolmen::wire {

// Reads the members of an object into a map. Leaves out members whose value is null. `read(name, json,
// &value)` converts one value. It is called in the order of the text, so the error that is returned
// is that of the first invalid value. After an error `map` is unchanged.
template <typename T, typename Read>
Status ReadMap(const JsonObject& object, const Read& read, internal::FlatMap<T>* map) {
  JsonEntries entries = EntriesOf(object);
  const auto is_null = [](const auto& entry) { return entry.second.is_null(); };
  entries.erase(std::remove_if(entries.begin(), entries.end(), is_null), entries.end());
  const Places places = PlacesByName(entries);
  std::vector<std::pair<std::string, T>> members(entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const auto& [name, json] = entries[i];
    auto& [key, value] = members[places[i]];
    key = name;
    DOLMEN_RETURN_IF_ERROR(read(name, json, &value));
  }
  *map = internal::FlatMap<T>::FromSorted(std::move(members));
  return {};
}

}  // namespace dolmen::wire
