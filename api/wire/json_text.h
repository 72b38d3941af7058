// JSON as text: where its values begin and end, and where it is wrong. For callers that need the text of a
// value: a number with all its digits, or the parts of a document of which some cannot be parsed.

#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dolmen::wire {

// Returns the position after the string that begins at `at`, or the end of `json`.
std::size_t StringEnd(std::string_view json, std::size_t at);

// Returns true if the text is a number in JSON's grammar, of any size.
bool IsJsonNumber(std::string_view text);

// Returns `text` without the white space at its beginning.
std::string_view SkipSpace(std::string_view text);

// Returns the text of the value at the beginning of `json`. Returns all of `json` if it ends within the
// value.
std::string_view FirstValue(std::string_view json);

// A member of an object, or an element of an array, which has no name. The name is the text between its
// quotes: escapes stay as they are.
struct JsonPart {
  std::string_view name = {};
  std::string_view value = {};
};

// Returns the parts of the object or the array at the beginning of `json`, in their order. Does not check
// them: the parts of a text that is not JSON are unspecified. If the text ends within the object, returns
// the parts before its end, and the last one may be incomplete.
std::vector<JsonPart> JsonParts(std::string_view json);

// Half of a surrogate pair, such as \ud83d without the other half, in a string of a JSON text.
struct HalfSurrogate {
  std::string escape = {};  // as it is written: "\ud83d"
  std::size_t at = 0;       // the position of the escape in the text
  std::string place = {};   // the members around it: "Items[3].name.S"
};

// Returns the first half of a surrogate pair, or nothing. It is no character, so such a text is not JSON in
// UTF-8. Programs write it that cut a string between its 16-bit units.
// REQUIRES: the text is JSON apart from such halves, for the place to be right.
std::optional<HalfSurrogate> FindHalfSurrogate(std::string_view json);

// Returns "a string has half of a surrogate pair, \ud83d, at Items[3].name.S".
std::string Describe(const HalfSurrogate& half);

// Returns the text with U+FFFD in place of each half of a surrogate pair.
std::string WithoutHalfSurrogates(std::string_view json);

// Returns `json` with `replace(number)` in place of the text of each number. Leaves strings as they are,
// and each text that looks like a number but is none.
template <typename Replace>
std::string ReplaceNumbers(std::string_view json, Replace replace) {
  constexpr std::string_view kNumberCharacters = "0123456789-+.eE";
  std::string replaced;
  replaced.reserve(json.size());
  std::size_t done = 0;  // what `replaced` has
  for (std::size_t i = 0; i < json.size();) {
    if (json[i] == '"') {
      i = StringEnd(json, i);
      continue;
    }
    if (json[i] != '-' && (json[i] < '0' || json[i] > '9')) {
      ++i;
      continue;
    }
    const std::size_t end = std::min(json.find_first_not_of(kNumberCharacters, i), json.size());
    const std::string_view number = json.substr(i, end - i);
    if (IsJsonNumber(number)) {
      replaced.append(json.substr(done, i - done)).append(replace(number));
      done = end;
    }
    i = end;
  }
  replaced.append(json.substr(done));
  return replaced;
}

}  // namespace dolmen::wire
