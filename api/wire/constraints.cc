#include "wire/constraints.h"

#include <algorithm>
#include <array>
#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "database/base64.h"
#include "engine/value/violation.h"
#include "wire/java_text.h"
#include "wire/value_faults.h"

namespace dolmen::wire {
namespace {

using engine::AtLeast;
using engine::AtMost;
using engine::Detected;
using engine::MustMatch;
using engine::NullViolation;
using engine::UnquotedViolation;
using engine::Violation;
using Kind = Shape::Kind;

// --- JSON types ---

// Returns true if the value has the usual JSON type of the shape. Returns false for a value of a
// wrong type, and for a shape whose values only TypeFault can check.
bool HasType(const Shape& shape, const Json& json) {
  switch (shape.kind) {
    case Kind::kStructure:
    case Kind::kAttributeValue:
    case Kind::kMap:
      return json.type() == JsonType::OBJECT;
    case Kind::kList:
      return json.type() == JsonType::ARRAY;
    case Kind::kString:
      return json.type() == JsonType::STRING;
    case Kind::kBoolean:
      return json.type() == JsonType::BOOL;
    default:
      return false;
  }
}

// The place of a value: a field of a structure, or an element of a list or map.
enum class Part : std::uint8_t { kField, kElement };

// The members of an attribute value, which has the JSON type of a structure.
constexpr Shape kBinaryShape = {.kind = Kind::kBinary};
constexpr Shape kStringListShape = {.kind = Kind::kList, .element = &kString};
constexpr Shape kBinaryListShape = {.kind = Kind::kList, .element = &kBinaryShape};
constexpr Shape kValueListShape = {.kind = Kind::kList, .element = &kAttributeValueShape};

constexpr std::array<MemberShape, 10> kAttributeValueMembers = {{
    {"S", &kString},
    {"N", &kString},
    {"B", &kBinaryShape},
    {"M", &kAttributeMapShape},
    {"L", &kValueListShape},
    {"BOOL", &kBoolean},
    {"NULL", &kBoolean},
    {"SS", &kStringListShape},
    {"NS", &kStringListShape},
    {"BS", &kBinaryListShape},
}};

// Returns the Java class that DynamoDB's messages name for the shape.
std::string ClassOf(const Shape& shape) {
  switch (shape.kind) {
    case Kind::kInteger:
      return "class java.lang.Integer";
    case Kind::kLong:
      return "class java.lang.Long";
    case Kind::kDouble:
      return "class java.lang.Double";
    case Kind::kBoolean:
      return "class java.lang.Boolean";
    case Kind::kBinary:
      return "class java.nio.ByteBuffer";
    case Kind::kStructure:
    case Kind::kAttributeValue:
      return "class com.amazonaws.dynamodb.v20120810." + std::string(shape.name);
    case Kind::kMap: {
      std::string element = ClassOf(*shape.element);
      if (element.starts_with("class ")) element.erase(0, 6);
      return "java.util.Map<java.lang.String, " + element + ">";
    }
    case Kind::kList: {
      std::string element = ClassOf(*shape.element);
      if (element.starts_with("class ")) element.erase(0, 6);
      return "java.util.List<" + element + ">";
    }
    case Kind::kString:
      break;
  }
  return "class java.lang.String";
}

std::string_view ScalarName(Kind kind) {
  switch (kind) {
    case Kind::kInteger:
      return "Integer";
    case Kind::kLong:
      return "Long";
    case Kind::kDouble:
      return "Double";
    case Kind::kBoolean:
      return "Boolean";
    default:
      return "String";
  }
}

bool IsNumber(JsonType type) {
  return type == JsonType::INT64 || type == JsonType::UINT64 || type == JsonType::DOUBLE;
}

// Returns the name that DynamoDB's messages give to a scalar value of a wrong type.
std::string_view TokenOf(const Json& json) {
  switch (json.type()) {
    case JsonType::STRING:
      return "STRING_VALUE";
    case JsonType::DOUBLE:
      return "DECIMAL_VALUE";
    case JsonType::BOOL:
      return BooleanOf(json) ? "TRUE_VALUE" : "FALSE_VALUE";
    default:
      return "NUMBER_VALUE";
  }
}

// Returns an empty string, or DynamoDB's message about the wrong type.
std::string FaultOfScalar(const Shape& shape, const Json& json) {
  const JsonType type = json.type();
  if (type == JsonType::ARRAY) return "Unrecognized collection type " + ClassOf(shape);
  if (type == JsonType::OBJECT) return "Start of structure or map found where not expected";
  if (shape.kind == Kind::kBinary) {
    if (type != JsonType::STRING) return "only base-64-encoded strings are convertible to bytes";
    std::string bytes;
    return internal::DecodeBase64(StringOf(json), &bytes).message();
  }
  if (shape.kind == Kind::kBoolean) {
    if (type == JsonType::STRING) {
      return BooleanText(StringOf(json)) ? "" : "Unexpected token received from parser";
    }
  }
  const bool numeric =
      shape.kind == Kind::kInteger || shape.kind == Kind::kLong || shape.kind == Kind::kDouble;
  if (numeric && IsNumber(type)) return {};
  return std::string(TokenOf(json))
      .append(" cannot be converted to ")
      .append(ScalarName(shape.kind));
}

// Checks the JSON type of a value for which HasType returns false. Does not check the values in it.
// Returns an empty string, or DynamoDB's message for a SerializationException.
std::string TypeFault(const Shape& shape, const Json& json, Part part) {
  const std::string_view scalar =
      part == Part::kField ? "Unexpected field type" : "Unexpected value type in payload";
  switch (shape.kind) {
    case Kind::kStructure:
    case Kind::kAttributeValue:
    case Kind::kMap:
      if (json.type() != JsonType::ARRAY) return std::string(scalar);
      return "Unrecognized collection type " + ClassOf(shape);
    case Kind::kList:
      if (json.type() != JsonType::OBJECT) return std::string(scalar);
      return "Start of structure or map found where not expected";
    default:
      return FaultOfScalar(shape, json);
  }
}

// --- constraints ---

constexpr std::size_t kReportedMax = 10;

std::string MustBeOneOf(std::string_view list) {
  return std::string("Member must satisfy enum value set: ").append(list);
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

// A step of the path to a value in the request. Each step links to that of the enclosing value, which
// lives in the frame of the caller. The path is built as text only if there is a violation to
// report.
struct PathStep {
  enum class Kind : std::uint8_t { kMember, kOfMap, kOfList };

  const PathStep* of = nullptr;  // the enclosing value; null: the request itself
  Kind kind = Kind::kMember;
  std::string_view name = {};  // the member's name, or the key in the map
  std::int64_t number = 0;     // the position in the list, from 1
};

// The spelling of members in a path: "limit", as most messages print it, or "Limit", as the JSON.
enum class Spelling : std::uint8_t { kLowerFirst, kAsInJson };

// Returns the path of the value at `place`, as DynamoDB's messages print it.
std::string PathOf(const PathStep* place, Spelling spelling = Spelling::kLowerFirst) {
  if (place == nullptr) return {};
  std::string path = PathOf(place->of, spelling);
  if (!path.empty()) path.push_back('.');
  switch (place->kind) {
    case PathStep::Kind::kMember:
      if (spelling == Spelling::kAsInJson) return path.append(place->name);
      return path.append(LowerFirst(place->name));
    case PathStep::Kind::kOfMap:
      return path.append(Truncated(place->name)).append(".member");
    case PathStep::Kind::kOfList:
      break;
  }
  return path.append(std::to_string(place->number)).append(".member");
}

// Returns true for a member of a structure or of an attribute value. The members of an attribute
// value have no PathStep.
bool IsMember(const PathStep* place) {
  return place == nullptr || place->kind == PathStep::Kind::kMember;
}

// A walk through a request. Most requests are walked once, with the purpose kCheck. That walk visits
// the values in the order of the text until it finds a wrong type. It notes only the first violated
// constraint. The purpose of a second walk, kReport, is to collect the violations in the order in
// which DynamoDB reports them.
class Walk {
 public:
  enum class Purpose : std::uint8_t { kCheck, kReport };

  explicit Walk(Purpose purpose) : purpose_(purpose) {}

  void Visit(const Shape& shape, const Json& json, const PathStep* place) {
    if (json.is_null()) return;
    if (checks_types() &&
        !HasRightType(shape, json, IsMember(place) ? Part::kField : Part::kElement)) {
      return;
    }
    switch (shape.kind) {
      case Kind::kString:
        return CheckString(shape, json, place);
      case Kind::kInteger:
      case Kind::kLong:
        return CheckRange(shape, json, place, "value", IntegerOf(json));
      case Kind::kList:
        return VisitList(shape, json, place);
      case Kind::kMap:
        return VisitMap(shape, json, place);
      case Kind::kStructure:
        return VisitStructure(shape, json, place);
      case Kind::kAttributeValue:
        return VisitAttributeValue(json);
      default:
        return;
    }
  }

  const std::string& type_fault() const { return type_fault_; }

  // Returns the violations as DynamoDB's message; empty without a violation.
  std::string message() const { return is_bare_ ? violations_[0] : Detected(violations_); }
  bool has_violations() const { return !violations_.empty(); }

 private:
  // Returns true if the value has the type of the shape. Otherwise notes the wrong type.
  bool HasRightType(const Shape& shape, const Json& json, Part part) {
    if (!HasType(shape, json)) type_fault_ = TypeFault(shape, json, part);
    return type_fault_.empty();
  }

  bool checks_types() const { return purpose_ == Purpose::kCheck; }

  // Returns true if the rest of the request cannot change the result of the walk.
  bool is_done() const { return checks_types() ? !type_fault_.empty() : is_full(); }

  bool is_full() const {
    return is_alone_ || violations_.size() == (checks_types() ? 1 : kReportedMax);
  }

  void Add(const Shape& shape, const Json& json, const PathStep* place,
           const std::string& constraint) {
    if (is_full()) return;
    const std::string value =
        shape.as_json ? std::string(Truncated(simdjson::minify(json))) : JavaText(json, shape);
    violations_.push_back(Violation(value, PathOf(place), constraint));
  }

  void AddOutOfRange(const Shape& shape, const Json& json, const PathStep* place,
                     const std::string& constraint) {
    const bool is_unquoted =
        shape.unquoted == Shape::Unquoted::kAlways ||
        (shape.unquoted == Shape::Unquoted::kWhenEmpty && StringOf(json).empty());
    if (!is_unquoted) return Add(shape, json, place, constraint);
    if (is_full()) return;
    MakeAlone(shape);
    violations_.push_back(UnquotedViolation(PathOf(place, Spelling::kAsInJson), constraint));
  }

  // Drops the violations of other members if the shape reports its own alone.
  void MakeAlone(const Shape& shape) {
    if (shape.alone) violations_.clear();
    is_alone_ = shape.alone;
  }

  // Adds the violation by a text that is none of the allowed ones.
  void AddOther(const Shape& shape, const Json& json, const PathStep* place) {
    if (shape.anonymous.empty()) {
      std::string values;
      for (const std::string_view value : shape.values) {
        values.append(values.empty() ? "" : ", ").append(value);
      }
      return Add(shape, json, place, MustBeOneOf("[" + values + "]"));
    }
    if (is_full()) return;
    MakeAlone(shape);
    is_bare_ = shape.bare;
    violations_.push_back("Failed to satisfy constraint: " + MustBeOneOf(shape.anonymous));
  }

  void AddNull(const PathStep& place) {
    if (is_full()) return;
    violations_.push_back(NullViolation(PathOf(&place)));
  }

  // Visits the members of the JSON object that the shape declares. If the walk checks types, visits
  // them in the order of the request's text, repeated names included. Otherwise visits only the
  // last member of each name, in the order in which the shape declares the names.
  void VisitStructure(const Shape& shape, const Json& json, const PathStep* place) {
    boost::container::small_vector<std::optional<Json>, 20> given(shape.members.size());
    for (const simdjson::dom::key_value_pair member : ObjectOf(json)) {
      const MemberShape* const known = FindMember(shape.members, member.key);
      if (known == nullptr) continue;
      given[static_cast<std::size_t>(known - shape.members.data())] = member.value;
      if (checks_types()) VisitMember(*known, member.value, place);
      if (is_done()) return;
    }
    for (std::size_t i = 0; i < given.size(); ++i) {
      const MemberShape& member = shape.members[i];
      if (is_done()) return;
      if (member.shape->yields && !violations_.empty()) continue;
      if (given[i] && !given[i]->is_null()) {
        if (!checks_types()) VisitMember(member, *given[i], place);
      } else if (member.required) {
        AddNull({.of = place, .name = member.name});
      }
    }
  }

  void VisitMember(const MemberShape& member, const Json& json, const PathStep* place) {
    const PathStep there = {.of = place, .name = member.name};
    Visit(*member.shape, json, &there);
  }

  // Checks only types, because an attribute value has no constraints.
  void VisitAttributeValue(const Json& json) {
    if (checks_types()) VisitTypes(ObjectOf(json));
  }

  // Visits the members of an attribute value. Lists and maps may nest 500 levels deep before a later check
  // refuses them, so those that are open are on the heap.
  void VisitTypes(const JsonObject& value) {
    struct Open {
      Kind kind;  // the members of an attribute value, or the elements of a list or a map
      JsonObject::iterator member;
      JsonObject::iterator members_end;
      JsonArray::iterator element;
      JsonArray::iterator elements_end;
    };
    boost::container::small_vector<Open, 1> open;
    const auto enter_object = [&](Kind kind, const JsonObject& object) {
      open.push_back({kind, object.begin(), object.end(), {}, {}});
    };
    enter_object(Kind::kAttributeValue, value);
    while (!open.empty() && !is_done()) {
      Open& inner = open.back();
      const bool is_list = inner.kind == Kind::kList;
      if (is_list ? inner.element == inner.elements_end : inner.member == inner.members_end) {
        open.pop_back();
        continue;
      }
      if (inner.kind != Kind::kAttributeValue) {
        const Json element = is_list ? *inner.element : (*inner.member).value;
        is_list ? static_cast<void>(++inner.element) : static_cast<void>(++inner.member);
        if (element.is_null() || !HasRightType(kAttributeValueShape, element, Part::kElement))
          continue;
        enter_object(Kind::kAttributeValue, ObjectOf(element));
        continue;
      }
      const simdjson::dom::key_value_pair member = *inner.member;
      ++inner.member;
      const MemberShape* const known = FindMember(kAttributeValueMembers, member.key);
      if (known == nullptr) continue;
      // Accepts a string without calling Visit, which would only repeat this check. Most values are
      // strings, so this saves time.
      if (known->shape == &kString && member.value.is_string()) continue;
      const bool is_value_list = known->shape == &kValueListShape;
      if (!is_value_list && known->shape != &kAttributeMapShape) {
        Visit(*known->shape, member.value, nullptr);
        continue;
      }
      if (member.value.is_null() || !HasRightType(*known->shape, member.value, Part::kField))
        continue;
      if (is_value_list) {
        const JsonArray list = ArrayOf(member.value);
        open.push_back({Kind::kList, {}, {}, list.begin(), list.end()});
      } else {
        enter_object(Kind::kMap, ObjectOf(member.value));
      }
    }
  }

  void CheckString(const Shape& shape, const Json& json, const PathStep* place) {
    const std::string_view text = StringOf(json);
    if (shape.or_arn && TableOfArn(text)) return;
    // DynamoDB reports only the length of an empty name in the operations on items.
    const bool has_text = !text.empty() || !shape.or_arn || shape.range.min > 1;
    if (has_text && !MatchesPattern(shape, text)) Add(shape, json, place, MustMatch(shape.pattern));
    if (IsLimited(shape.range)) CheckRange(shape, json, place, "length", LengthOf(shape, text));
    if (shape.values.empty()) return;
    if (std::find(shape.values.begin(), shape.values.end(), text) != shape.values.end()) return;
    AddOther(shape, json, place);
  }

  void CheckRange(const Shape& shape, const Json& json, const PathStep* place,
                  std::string_view what, std::int64_t value) {
    if (value < shape.range.min) AddOutOfRange(shape, json, place, AtLeast(what, shape.range.min));
    if (value > shape.range.max) AddOutOfRange(shape, json, place, AtMost(what, shape.range.max));
  }

  // Visits an element of a list, or a value of a map.
  void VisitElement(const Shape& shape, const Json& json, const PathStep& place) {
    if (!json.is_null()) return Visit(shape, json, &place);
    if (!HasNoConstraints(shape)) AddNull(place);
  }

  void VisitList(const Shape& shape, const Json& json, const PathStep* place) {
    const JsonArray array = ArrayOf(json);
    CheckRange(shape, json, place, "length", static_cast<std::int64_t>(array.size()));
    PathStep there = {.of = place, .kind = PathStep::Kind::kOfList};
    for (const Json element : array) {
      ++there.number;
      VisitElement(*shape.element, element, there);
      if (is_done()) return;
    }
  }

  void VisitMap(const Shape& shape, const Json& json, const PathStep* place) {
    const Shape& element = *shape.element;
    const JsonObject object = ObjectOf(json);
    if (checks_types()) {
      for (const simdjson::dom::key_value_pair member : object) {
        VisitElement(element, member.value,
                     {.of = place, .kind = PathStep::Kind::kOfMap, .name = member.key});
        if (is_done()) return;
      }
    }
    if (HasNoConstraints(element) && shape.key == nullptr && !IsLimited(shape.range)) return;
    const JsonEntries entries = EntriesOf(object);
    CheckRange(shape, json, place, "length", static_cast<std::int64_t>(entries.size()));
    if (shape.key != nullptr && !AreKeysValid(*shape.key, entries)) {
      Add(shape, json, place, "Map keys must satisfy constraint: " + ConstraintList(*shape.key));
    }
    if (HasNoConstraints(element)) return;
    if (element.kind == Kind::kList && !AreListsValid(element, entries)) {
      return Add(shape, json, place,
                 "Map value must satisfy constraint: " + ConstraintList(element));
    }
    if (checks_types()) return;
    for (const auto& [key, value] : entries) {
      VisitElement(element, value, {.of = place, .kind = PathStep::Kind::kOfMap, .name = key});
      if (is_done()) return;
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

  Purpose purpose_;
  std::string type_fault_;
  std::vector<std::string> violations_;
  bool is_alone_ = false;  // the only violation that is reported
  bool is_bare_ = false;   // it is reported without the number of violations
};

}  // namespace

Faults Check(const Shape& shape, const Json& json, const Shape* older) {
  Walk check(Walk::Purpose::kCheck);
  check.Visit(shape, json, nullptr);
  if (!check.type_fault().empty()) return {.type = check.type_fault()};
  if (!check.has_violations()) return {};
  Walk report(Walk::Purpose::kReport);
  const bool follows_older =
      older != nullptr && (!Member(ObjectOf(json), older->members.back().name) ||
                           !ParserFault(shape, ObjectOf(json)).ok());
  report.Visit(follows_older ? *older : shape, json, nullptr);
  // The report may be empty although the check found a violation: only the check visits a member
  // that a later member of the same name replaces.
  return {.constraints = report.message()};
}

}  // namespace dolmen::wire
