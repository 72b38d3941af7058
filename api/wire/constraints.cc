#include "wire/constraints.h"

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "wire/java_text.h"
#include "wire/violations.h"

namespace dolmen::wire {
namespace {

using Kind = Shape::Kind;

constexpr std::size_t kReportedMax = 10;

std::string AtLeast(std::string_view what, std::int64_t limit) {
  return std::string("Member must have ")
      .append(what)
      .append(" greater than or equal to ")
      .append(std::to_string(limit));
}

std::string AtMost(std::string_view what, std::int64_t limit) {
  return std::string("Member must have ")
      .append(what)
      .append(" less than or equal to ")
      .append(std::to_string(limit));
}

// Returns the constraints of a shape as a list, for messages about the keys and values of maps.
std::string ConstraintList(const Shape& shape) {
  std::string text =
      "[" + AtMost("length", shape.range.max) + ", " + AtLeast("length", shape.range.min);
  if (!shape.pattern.empty()) text += ", " + MustMatch(shape.pattern);
  return text + "]";
}

bool Within(const Range& range, std::int64_t value) {
  return value >= range.min && value <= range.max;
}

bool IsLimited(const Range& range) { return range.min != Range().min || range.max != Range().max; }

bool MatchesPattern(const Shape& shape, std::string_view text) {
  return shape.pattern.empty() || IsName(text);
}

std::int64_t LengthOf(const Shape& shape, std::string_view text) {
  if (shape.in_bytes) return static_cast<std::int64_t>(text.size());
  std::int64_t units = 0;  // of UTF-16, as in Java: four bytes of UTF-8 are two units
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    units += ((byte & 0xC0) != 0x80 ? 1 : 0) + (byte >= 0xF0 ? 1 : 0);
  }
  return units;
}

bool IsValidKey(const Shape& shape, std::string_view text) {
  if (shape.or_arn && TableOfArn(text)) return true;
  return MatchesPattern(shape, text) && Within(shape.range, LengthOf(shape, text));
}

// The place of a value in the request. Each Place links to the Place of the enclosing value, which
// lives in the frame of the caller. The path is built as text only if there is a violation to
// report.
struct Place {
  enum class Kind : std::uint8_t { kMember, kOfMap, kOfList };

  const Place* of = nullptr;  // the enclosing value; null: the request itself
  Kind kind = Kind::kMember;
  std::string_view name = {};  // the member's name, or the key in the map
  std::int64_t number = 0;     // the position in the list, from 1
};

// Returns the path of the value at `place`, as DynamoDB's messages print it.
std::string PathOf(const Place* place) {
  if (place == nullptr) return {};
  std::string path = PathOf(place->of);
  if (!path.empty()) path.push_back('.');
  switch (place->kind) {
    case Place::Kind::kMember:
      return path.append(LowerFirst(place->name));
    case Place::Kind::kOfMap:
      return path.append(Truncated(place->name)).append(".member");
    case Place::Kind::kOfList:
      break;
  }
  return path.append(std::to_string(place->number)).append(".member");
}

// A collector of the first kReportedMax constraints that a request violates.
class Violations {
 public:
  void Check(const Shape& shape, const Json& json, const Place* place) {
    switch (shape.kind) {
      case Kind::kString:
        return CheckString(shape, json, place);
      case Kind::kInteger:
      case Kind::kLong:
        return CheckRange(shape, json, place, "value", IntegerOf(json));
      case Kind::kList:
        return CheckList(shape, json, place);
      case Kind::kMap:
        return CheckMap(shape, json, place);
      case Kind::kStructure:
        return CheckStructure(shape, json, place);
      default:
        return;
    }
  }

  const std::vector<std::string>& found() const { return found_; }

 private:
  bool is_full() const { return found_.size() == kReportedMax; }

  void Add(const Shape& shape, const Json& json, const Place* place,
           const std::string& constraint) {
    if (is_full()) return;
    found_.push_back(Violation(JavaText(json, shape), PathOf(place), constraint));
  }

  void AddNull(const Place& place) {
    if (is_full()) return;
    found_.push_back(NullViolation(PathOf(&place)));
  }

  // Walks the members of the request only once. A lookup of each declared member would be slower,
  // because a structure may declare many more members than the request has.
  void CheckStructure(const Shape& shape, const Json& json, const Place* place) {
    boost::container::small_vector<std::optional<Json>, 20> given(shape.members.size());
    for (const simdjson::dom::key_value_pair member : ObjectOf(json)) {
      const MemberShape* const known = FindMember(shape.members, member.key);
      if (known == nullptr) continue;
      given[static_cast<std::size_t>(known - shape.members.data())] = member.value;
    }
    for (std::size_t i = 0; i < given.size(); ++i) {
      const MemberShape& member = shape.members[i];
      const Place there = {.of = place, .name = member.name};
      if (given[i] && !given[i]->is_null()) {
        Check(*member.shape, *given[i], &there);
      } else if (member.required) {
        AddNull(there);
      }
    }
  }

  void CheckString(const Shape& shape, const Json& json, const Place* place) {
    const std::string_view text = StringOf(json);
    if (shape.or_arn && TableOfArn(text)) return;
    if (!MatchesPattern(shape, text)) Add(shape, json, place, MustMatch(shape.pattern));
    if (IsLimited(shape.range)) CheckRange(shape, json, place, "length", LengthOf(shape, text));
    if (shape.values.empty()) return;
    if (std::find(shape.values.begin(), shape.values.end(), text) != shape.values.end()) return;
    std::string values;
    for (const std::string_view value : shape.values) {
      values.append(values.empty() ? "" : ", ").append(value);
    }
    Add(shape, json, place, "Member must satisfy enum value set: [" + values + "]");
  }

  void CheckRange(const Shape& shape, const Json& json, const Place* place, std::string_view what,
                  std::int64_t value) {
    if (value < shape.range.min) Add(shape, json, place, AtLeast(what, shape.range.min));
    if (value > shape.range.max) Add(shape, json, place, AtMost(what, shape.range.max));
  }

  // Checks an element of a list, or a value of a map.
  void CheckElement(const Shape& shape, const Json& json, const Place& place) {
    if (json.is_null()) return AddNull(place);
    Check(shape, json, &place);
  }

  void CheckList(const Shape& shape, const Json& json, const Place* place) {
    const JsonArray array = ArrayOf(json);
    CheckRange(shape, json, place, "length", static_cast<std::int64_t>(array.size()));
    if (HasNoConstraints(*shape.element)) return;
    Place there = {.of = place, .kind = Place::Kind::kOfList};
    for (const Json element : array) {
      ++there.number;
      CheckElement(*shape.element, element, there);
      if (is_full()) return;
    }
  }

  void CheckMap(const Shape& shape, const Json& json, const Place* place) {
    const Shape& element = *shape.element;
    if (HasNoConstraints(element) && shape.key == nullptr && !IsLimited(shape.range)) return;
    const JsonEntries entries = EntriesOf(ObjectOf(json));
    CheckRange(shape, json, place, "length", static_cast<std::int64_t>(entries.size()));
    if (shape.key != nullptr && !AreKeysValid(*shape.key, entries)) {
      Add(shape, json, place, "Map keys must satisfy constraint: " + ConstraintList(*shape.key));
    }
    if (HasNoConstraints(element)) return;
    if (element.kind == Kind::kList && !AreListsValid(element, entries)) {
      return Add(shape, json, place,
                 "Map value must satisfy constraint: " + ConstraintList(element));
    }
    for (const auto& [key, value] : entries) {
      CheckElement(element, value, {.of = place, .kind = Place::Kind::kOfMap, .name = key});
      if (is_full()) return;
    }
  }

  // Returns true if `shape` is the shape of attribute values. This class checks no constraint of an
  // attribute value, and accepts null in the place of an attribute value.
  static bool HasNoConstraints(const Shape& shape) { return shape.kind == Kind::kAttributeValue; }

  static bool AreKeysValid(const Shape& key, const JsonEntries& entries) {
    return std::all_of(entries.begin(), entries.end(),
                       [&](const auto& entry) { return IsValidKey(key, entry.first); });
  }

  static bool AreListsValid(const Shape& list, const JsonEntries& entries) {
    return std::all_of(entries.begin(), entries.end(), [&](const auto& entry) {
      return Within(list.range, static_cast<std::int64_t>(ArrayOf(entry.second).size()));
    });
  }

  std::vector<std::string> found_;
};

}  // namespace

std::string CheckConstraints(const Shape& shape, const Json& json) {
  Violations violations;
  violations.Check(shape, json, nullptr);
  return Detected(violations.found());
}

}  // namespace dolmen::wire
