// The JSON of requests, read by simdjson without exceptions.

#pragma once

#include <simdjson.h>

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace dolmen::wire {

// A value of a parsed request.  A view: it lives until its parser parses again.
using Json = simdjson::dom::element;
using JsonObject = simdjson::dom::object;
using JsonArray = simdjson::dom::array;
using JsonType = simdjson::dom::element_type;

// Of members of one name the last one is what the object has, for every function here.

// The member, or nothing if it is absent or null, which DynamoDB takes for the same.
inline std::optional<Json> Member(const JsonObject& object, std::string_view name) {
  std::optional<Json> last;
  for (const simdjson::dom::key_value_pair member : object) {
    if (member.key == name) last = member.value;
  }
  if (last && last->is_null()) last.reset();
  return last;
}

// All members, nulls too, for objects that are maps.
using JsonEntries = boost::container::small_vector<std::pair<std::string_view, Json>, 8>;
JsonEntries EntriesOf(const JsonObject& object);

// What a value is, once its type has been checked (shape.h); of another type, an empty one.
inline std::string_view StringOf(const Json& json) {
  std::string_view text;
  return json.get(text) == simdjson::SUCCESS ? text : std::string_view();
}
JsonObject ObjectOf(const Json& json);
JsonArray ArrayOf(const Json& json);
// Fractions are cut, and what is outside the type becomes its end, as DynamoDB's numbers do.
std::int64_t IntegerOf(const Json& json);
// Also of the strings that DynamoDB takes for booleans.
bool BooleanOf(const Json& json);
// Nothing if the text is none of those.
std::optional<bool> BooleanText(std::string_view text);

// Members by name; an absent or null one is an empty text, false, or nothing.
std::string_view StringMember(const JsonObject& object, std::string_view name);
bool BooleanMember(const JsonObject& object, std::string_view name);
std::optional<std::int64_t> IntegerMember(const JsonObject& object, std::string_view name);

}  // namespace dolmen::wire
