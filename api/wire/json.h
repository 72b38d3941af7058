// Access to the JSON of requests. simdjson parses it without exceptions.

#pragma once

#include <simdjson.h>

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "dolmen/clock.h"
#include "dolmen/result.h"

namespace dolmen::wire {

// A view of a value in a parsed request. It is valid until its parser parses again.
using Json = simdjson::dom::element;
using JsonObject = simdjson::dom::object;
using JsonArray = simdjson::dom::array;
using JsonType = simdjson::dom::element_type;

// Parses a text. The message of an error names it, for example as "the seed". The value is valid until
// `parser` parses again. A number that is too large for simdjson becomes another large number
// (ReplaceBigNumbers). UntypedJson (untyped_json.h) keeps the digits of numbers.
// - kValidation: the text is not JSON. The message names the place of half of a surrogate pair.
Result<Json> ParseJson(std::string_view text, std::string_view name, simdjson::dom::parser* parser);

// Returns true if a number is too large for simdjson. Newer versions have an error of their own for integers.
template <typename ErrorCode>
constexpr bool IsNumberError(ErrorCode error) {
  if constexpr (requires { ErrorCode::BIGINT_ERROR; }) {
    if (error == ErrorCode::BIGINT_ERROR) return true;
  }
  return error == simdjson::NUMBER_ERROR;
}

// Returns `json` after replacing each number that is too large for simdjson: each integer of more
// than 64 bits, and each fraction outside the range of a double. The replacement is a large number
// that simdjson accepts. It has the same sign, and is an integer if the replaced number is an
// integer. A valid request has numbers that large only in unknown members, whose values the
// endpoint ignores. An invalid request may have one in the place of a string. Because of the
// replacement, simdjson can parse the request, and the type check reports the wrong type.
std::string ReplaceBigNumbers(std::string_view json);

// If an object repeats a name, all functions here use the last member of that name.

// Returns the member, or nothing if it is absent or null. DynamoDB treats null as absent.
inline std::optional<Json> Member(const JsonObject& object, std::string_view name) {
  std::optional<Json> last;
  for (const simdjson::dom::key_value_pair member : object) {
    if (member.key == name) last = member.value;
  }
  if (last && last->is_null()) last.reset();
  return last;
}

// Returns all members of a JSON object that stands for a map. Includes the members whose value is
// null.
using JsonEntries = boost::container::small_vector<std::pair<std::string_view, Json>, 16>;
JsonEntries EntriesOf(const JsonObject& object);

// Returns for each entry its place in byte order of the names. REQUIRES: no name occurs twice.
using Places = boost::container::small_vector<std::uint32_t, 16>;
Places PlacesByName(const JsonEntries& entries);

// Return the value as the type that Check (constraints.h) has verified. A value of a different type
// yields an empty value.
inline std::string_view StringOf(const Json& json) {
  std::string_view text;
  return json.get(text) == simdjson::SUCCESS ? text : std::string_view();
}
JsonObject ObjectOf(const Json& json);
JsonArray ArrayOf(const Json& json);
// Returns the number without its fraction, as DynamoDB does. A number outside std::int64_t becomes
// the nearest limit.
std::int64_t IntegerOf(const Json& json);
// Returns a boolean, or the value of a string that DynamoDB accepts as a boolean.
bool BooleanOf(const Json& json);
// Returns the boolean that DynamoDB reads from the string, or nothing if DynamoDB rejects the
// string.
std::optional<bool> BooleanText(std::string_view text);

// Returns the time in a number of seconds since 1970, with a fraction of up to milliseconds. Returns
// nothing for another value. A time before 1970 or after the year 9999 becomes the nearest time in this
// range.
std::optional<Timestamp> TimeOf(const Json& json);

// Return the member with the given name. If the member is absent or null, StringMember returns "",
// BooleanMember returns false, and IntegerMember returns nothing.
std::string_view StringMember(const JsonObject& object, std::string_view name);
bool BooleanMember(const JsonObject& object, std::string_view name);
std::optional<std::int64_t> IntegerMember(const JsonObject& object, std::string_view name);
// Returns TimeOf(member), or nothing if the member is absent.
std::optional<Timestamp> TimeMember(const JsonObject& object, std::string_view name);

}  // namespace dolmen::wire
