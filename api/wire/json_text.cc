#include "wire/json_text.h"

#include <algorithm>

namespace dolmen::wire {
namespace {

constexpr std::string_view kSpace = " \t\r\n";

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Removes `c` from the start of `rest`. Returns false if `rest` does not start with `c`.
bool Take(char c, std::string_view* rest) {
  const bool there = rest->starts_with(c);
  rest->remove_prefix(there ? 1 : 0);
  return there;
}

// Removes the digits at the start of `rest`. Returns false if there are none.
bool TakeDigits(std::string_view* rest) {
  const auto end = std::find_if_not(rest->begin(), rest->end(), IsDigit);
  const auto count = static_cast<std::size_t>(end - rest->begin());
  rest->remove_prefix(count);
  return count > 0;
}

// Returns the 16-bit unit of an escape such as \ud83d at `at`, or nothing.
std::optional<unsigned> UnitAt(std::string_view json, std::size_t at) {
  if (json.size() < at + 6 || json.substr(at, 2) != "\\u") return std::nullopt;
  unsigned unit = 0;
  for (const char c : json.substr(at + 2, 4)) {
    const char lower = static_cast<char>(c | 0x20);
    if (!IsDigit(c) && (lower < 'a' || lower > 'f')) return std::nullopt;
    unit = unit * 16 + static_cast<unsigned>(IsDigit(c) ? c - '0' : lower - 'a' + 10);
  }
  return unit;
}

bool IsHigh(std::optional<unsigned> unit) { return unit && *unit >= 0xD800 && *unit < 0xDC00; }
bool IsLow(std::optional<unsigned> unit) { return unit && *unit >= 0xDC00 && *unit < 0xE000; }

// Returns the position of the first half of a surrogate pair from `at` on, or npos.
std::size_t HalfAt(std::string_view json, std::size_t at) {
  constexpr std::size_t kEscape = 6;  // characters of \ud83d
  while ((at = json.find('\\', at)) != json.npos) {
    const std::optional<unsigned> unit = UnitAt(json, at);
    const bool is_pair = IsHigh(unit) && IsLow(UnitAt(json, at + kEscape));
    if (!is_pair && (IsHigh(unit) || IsLow(unit))) return at;
    at += is_pair ? 2 * kEscape : 2;
  }
  return json.npos;
}

// Returns the members around the position `at`, such as Items[3].name.S.
std::string PlaceOf(std::string_view json, std::size_t at) {
  std::string place;
  json = SkipSpace(json);
  const char* const target = json.data() + at;
  constexpr int kDepthMax = 40;  // more than an item has; each level is read again
  std::string_view value = json;
  for (int depth = 0; depth < kDepthMax; ++depth) {
    if (!value.starts_with('{') && !value.starts_with('[')) break;
    const std::vector<JsonPart> parts = JsonParts(value);
    const auto around = std::ranges::find_if(parts, [&](const JsonPart& part) {
      return target < part.value.data() + part.value.size();
    });
    if (around == parts.end()) break;
    if (value.starts_with('[')) {
      place.append("[").append(std::to_string(around - parts.begin())).append("]");
    } else {
      place.append(place.empty() ? "" : ".").append(around->name);
    }
    value = around->value;
  }
  return place;
}

}  // namespace

// Looks for quotes only, which is fast for long strings: an odd number of backslashes escapes a quote.
std::size_t StringEnd(std::string_view json, std::size_t at) {
  for (std::size_t i = at; (i = json.find('"', i + 1)) != json.npos;) {
    std::size_t backslashes = 0;
    while (i - backslashes > at + 1 && json[i - backslashes - 1] == '\\') ++backslashes;
    if (backslashes % 2 == 0) return i + 1;
  }
  return json.size();
}

// A first digit 0 must be the only integer digit.
bool IsJsonNumber(std::string_view text) {
  Take('-', &text);
  if (!Take('0', &text) && !TakeDigits(&text)) return false;
  if (Take('.', &text) && !TakeDigits(&text)) return false;
  if (Take('e', &text) || Take('E', &text)) {
    if (!Take('-', &text)) Take('+', &text);
    if (!TakeDigits(&text)) return false;
  }
  return text.empty();
}

std::string_view SkipSpace(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kSpace), text.size()));
  return text;
}

std::string_view FirstValue(std::string_view json) {
  if (json.starts_with('"')) return json.substr(0, StringEnd(json, 0));
  if (!json.starts_with('{') && !json.starts_with('[')) {
    return json.substr(0, json.find_first_of(",:]} \t\r\n"));
  }
  std::size_t depth = 0;
  for (std::size_t i = 0; (i = json.find_first_of("\"{}[]", i)) != json.npos;) {
    if (json[i] == '"') {
      i = StringEnd(json, i);
      continue;
    }
    depth += json[i] == '{' || json[i] == '[' ? 1 : -1;
    ++i;
    if (depth == 0) return json.substr(0, i);
  }
  return json;
}

std::vector<JsonPart> JsonParts(std::string_view json) {
  std::vector<JsonPart> parts;
  if (json.empty()) return parts;
  const bool is_object = json.front() == '{';
  std::string_view rest = json.substr(1);
  for (;;) {
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t\r\n,"), rest.size()));
    if (rest.empty() || rest.front() == ']' || rest.front() == '}') return parts;
    JsonPart part;
    if (is_object) {
      const std::size_t end = StringEnd(rest, 0);
      part.name = rest.substr(1, std::max<std::size_t>(end, 2) - 2);
      rest.remove_prefix(end);
      rest.remove_prefix(std::min(rest.find_first_not_of(" \t\r\n:"), rest.size()));
    }
    part.value = FirstValue(rest);
    if (part.value.empty()) return parts;
    parts.push_back(part);
    rest.remove_prefix(part.value.size());
  }
}

std::optional<HalfSurrogate> FindHalfSurrogate(std::string_view json) {
  const std::size_t at = HalfAt(json, 0);
  if (at == json.npos) return std::nullopt;
  const std::size_t space = json.size() - SkipSpace(json).size();
  return HalfSurrogate{.escape = std::string(json.substr(at, 6)),
                       .at = at,
                       .place = PlaceOf(json, at - std::min(at, space))};
}

std::string Describe(const HalfSurrogate& half) {
  return "a string has half of a surrogate pair, " + half.escape +
         (half.place.empty() ? "" : ", at " + half.place);
}

std::string WithoutHalfSurrogates(std::string_view json) {
  std::string text(json);
  for (std::size_t at = 0; (at = HalfAt(text, at)) != text.npos; at += 6) {
    text.replace(at, 6, "\\ufffd");
  }
  return text;
}

}  // namespace dolmen::wire
