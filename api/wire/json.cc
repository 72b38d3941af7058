#include "wire/json.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <string>

#include "wire/json_text.h"

namespace dolmen::wire {
namespace {

using Limits = std::numeric_limits<std::int64_t>;

std::int64_t Truncate(double number) {
  // Uses bounds slightly inside the range of std::int64_t, because a double cannot represent the
  // largest std::int64_t exactly.
  if (number <= -9.2e18) return Limits::min();
  if (number >= 9.2e18) return Limits::max();
  return static_cast<std::int64_t>(number);
}

bool EqualsIgnoringCase(std::string_view a, std::string_view lower) {
  return std::equal(a.begin(), a.end(), lower.begin(), lower.end(),
                    [](char x, char y) { return (x >= 'A' && x <= 'Z' ? x - 'A' + 'a' : x) == y; });
}

// Returns an empty object or array. `text` is "{}" or "[]". The function parses the text, because
// simdjson has no constructor for an empty object. ObjectOf and similar functions return the result
// if a value has a wrong type.
template <typename T>
T EmptyOf(std::string_view text) {
  static thread_local simdjson::dom::parser parser;
  static thread_local Json document;
  T empty;
  if (parser.parse(text).get(document) != simdjson::SUCCESS ||
      document.get(empty) != simdjson::SUCCESS) {
    return T();
  }
  return empty;
}

template <std::size_t kSize>
bool IsOneOf(std::string_view text, const std::array<std::string_view, kSize>& words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return EqualsIgnoringCase(text, word); });
}

// Keeps only the last value of each repeated name, at the position of the first value. Names are
// not hashed, because a client could choose names with equal hashes.
void KeepLast(JsonEntries* entries) {
  std::map<std::string_view, std::size_t> places;
  std::size_t kept = 0;
  for (const auto& entry : *entries) {
    const auto [place, is_new] = places.try_emplace(entry.first, kept);
    (*entries)[place->second] = entry;
    if (is_new) ++kept;
  }
  entries->erase(entries->begin() + static_cast<std::ptrdiff_t>(kept), entries->end());
}

// Returns true if no name is repeated. Compares all pairs, which is fast for few entries.
bool AreFewDistinct(const JsonEntries& entries) {
  for (auto entry = entries.begin(); entry != entries.end(); ++entry) {
    const auto same = [&](const auto& other) { return other.first == entry->first; };
    if (std::any_of(std::next(entry), entries.end(), same)) return false;
  }
  return true;
}

// Returns true if no name is repeated.
bool AreDistinct(const JsonEntries& entries) {
  constexpr std::size_t kFew = 16;
  const auto not_before = [](const auto& a, const auto& b) { return a.first >= b.first; };
  if (std::adjacent_find(entries.begin(), entries.end(), not_before) == entries.end()) return true;
  if (entries.size() <= kFew) return AreFewDistinct(entries);
  boost::container::small_vector<std::string_view, 32> names;
  for (const auto& entry : entries) names.push_back(entry.first);
  std::sort(names.begin(), names.end());
  return std::adjacent_find(names.begin(), names.end()) == names.end();
}

}  // namespace

Result<Json> ParseJson(std::string_view text, std::string_view name,
                       simdjson::dom::parser* parser) {
  Json json;
  auto error = parser->parse(text.data(), text.size()).get(json);
  if (IsNumberError(error)) error = parser->parse(ReplaceBigNumbers(text)).get(json);
  if (error == simdjson::SUCCESS) return json;
  const auto half = error == simdjson::STRING_ERROR ? FindHalfSurrogate(text) : std::nullopt;
  return Status::Validation(
      std::string(name)
          .append(" is not JSON: ")
          .append(half ? Describe(*half) : std::string(simdjson::error_message(error))));
}

JsonEntries EntriesOf(const JsonObject& object) {
  JsonEntries entries;
  for (const simdjson::dom::key_value_pair member : object) {
    entries.emplace_back(member.key, member.value);
  }
  if (!AreDistinct(entries)) KeepLast(&entries);
  return entries;
}

Places PlacesByName(const JsonEntries& entries) {
  Places order(entries.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return entries[a].first < entries[b].first; });
  Places places(entries.size());
  for (std::uint32_t place = 0; place < order.size(); ++place) places[order[place]] = place;
  return places;
}

JsonObject ObjectOf(const Json& json) {
  JsonObject object;
  return json.get(object) == simdjson::SUCCESS ? object : EmptyOf<JsonObject>("{}");
}

JsonArray ArrayOf(const Json& json) {
  JsonArray array;
  return json.get(array) == simdjson::SUCCESS ? array : EmptyOf<JsonArray>("[]");
}

std::int64_t IntegerOf(const Json& json) {
  std::int64_t integer = 0;
  if (json.get(integer) == simdjson::SUCCESS) return integer;
  double number = 0;
  if (json.get(number) == simdjson::SUCCESS) return Truncate(number);
  return 0;
}

std::optional<bool> BooleanText(std::string_view text) {
  if (IsOneOf(text, std::array<std::string_view, 3>{"true", "1", "yes"})) return true;
  if (IsOneOf(text, std::array<std::string_view, 3>{"false", "0", "no"})) return false;
  return std::nullopt;
}

bool BooleanOf(const Json& json) {
  bool value = false;
  if (json.get(value) == simdjson::SUCCESS) return value;
  return BooleanText(StringOf(json)).value_or(false);
}

std::string_view StringMember(const JsonObject& object, std::string_view name) {
  const std::optional<Json> member = Member(object, name);
  return member ? StringOf(*member) : std::string_view();
}

bool BooleanMember(const JsonObject& object, std::string_view name) {
  const std::optional<Json> member = Member(object, name);
  return member && BooleanOf(*member);
}

std::optional<std::int64_t> IntegerMember(const JsonObject& object, std::string_view name) {
  const std::optional<Json> member = Member(object, name);
  if (!member) return std::nullopt;
  return IntegerOf(*member);
}

std::optional<Timestamp> TimeMember(const JsonObject& object, std::string_view name) {
  const std::optional<Json> member = Member(object, name);
  return member ? TimeOf(*member) : std::nullopt;
}

std::optional<Timestamp> TimeOf(const Json& json) {
  double seconds = 0;
  if (json.get(seconds) != simdjson::SUCCESS) return std::nullopt;
  constexpr double kSecondsMax = 253'402'300'799;  // the end of the year 9999
  const double milliseconds = std::clamp(seconds, 0.0, kSecondsMax) * 1000;
  return Timestamp(std::chrono::milliseconds(std::llround(milliseconds)));
}

namespace {

// A check that finds numbers which simdjson rejects. The check parses numbers with simdjson, so the
// limits of the check are exactly simdjson's limits.
class NumberReader {
 public:
  // Returns true if simdjson rejects the number because the number is too large.
  bool IsBig(std::string_view text) {
    constexpr std::size_t kSmallMax = 18;  // characters; so short an integer always fits 64 bits
    if (text.size() <= kSmallMax && text.find_first_of("eE") == text.npos) return false;
    text_.reserve(text.size() + simdjson::SIMDJSON_PADDING);
    text_ = text;
    return IsNumberError(parser_.parse(text_).error());
  }

 private:
  simdjson::dom::parser parser_;
  std::string text_;
};

// Returns the replacement for `number`: a large number that simdjson reads, with the same sign. The
// replacement is an integer if `number` is an integer.
std::string_view LargeNumberLike(std::string_view number) {
  const bool whole = number.find_first_of(".eE") == number.npos;
  if (number.starts_with('-')) return whole ? "-9223372036854775807" : "-1e308";
  return whole ? "9223372036854775807" : "1e308";
}

}  // namespace

std::string ReplaceBigNumbers(std::string_view json) {
  NumberReader reader;
  return ReplaceNumbers(json, [&](std::string_view number) {
    return reader.IsBig(number) ? LargeNumberLike(number) : number;
  });
}

}  // namespace dolmen::wire
