#include <algorithm>
#include <cctype>
#include <string>
#include <utility>
#include <vector>

#include "wire/java_text.h"
#include "wire/shape.h"

namespace dolmen::wire {
namespace {

using Kind = Shape::Kind;

constexpr std::size_t kReportedMax = 10;

bool IsNameCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '-';
}

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

std::string Matches(std::string_view pattern) {
  return std::string("Member must satisfy regular expression pattern: ").append(pattern);
}

// The constraints of a shape as a list, for keys and values of maps.
std::string ConstraintList(const Shape& shape) {
  std::string text =
      "[" + AtMost("length", shape.range.max) + ", " + AtLeast("length", shape.range.min);
  if (!shape.pattern.empty()) text += ", " + Matches(shape.pattern);
  return text + "]";
}

bool Within(const Range& range, std::int64_t value) {
  return value >= range.min && value <= range.max;
}

bool MatchesPattern(const Shape& shape, std::string_view text) {
  return shape.pattern.empty() ||
         (!text.empty() && std::all_of(text.begin(), text.end(), IsNameCharacter));
}

bool IsGoodName(const Shape& shape, std::string_view text) {
  if (shape.or_arn && text.starts_with("arn:")) return true;
  return MatchesPattern(shape, text) && Within(shape.range, static_cast<std::int64_t>(text.size()));
}

class Violations {
 public:
  void CheckMember(const MemberShape& member, const JsonObject& of) {
    Json json;
    const bool there = of.at_key(member.name).get(json) == simdjson::SUCCESS && !json.is_null();
    const std::size_t before = path_.size();
    path_.append(path_.empty() ? "" : ".").append(LowerFirst(member.name));
    if (there) {
      Check(*member.shape, json);
    } else if (member.required) {
      AddNull();
    }
    path_.resize(before);
  }

  void Check(const Shape& shape, const Json& json) {
    switch (shape.kind) {
      case Kind::kString:
        return CheckString(shape, json);
      case Kind::kInteger:
      case Kind::kLong:
        return CheckRange(shape, json, "value", IntegerOf(json));
      case Kind::kList:
        return CheckList(shape, json);
      case Kind::kMap:
        return CheckMap(shape, json);
      case Kind::kStructure:
        for (const MemberShape& member : shape.members) CheckMember(member, ObjectOf(json));
        return;
      default:
        return;
    }
  }

  std::string Message() && {
    if (found_.empty()) return {};
    std::string text = std::to_string(found_.size()) + " validation error" +
                       (found_.size() > 1 ? "s" : "") + " detected: ";
    for (const std::string& violation : found_) {
      text.append(&violation == found_.data() ? "" : "; ").append(violation);
    }
    return text;
  }

 private:
  void Add(const Shape& shape, const Json& json, const std::string& constraint) {
    if (found_.size() == kReportedMax) return;
    found_.push_back("Value '" + JavaText(json, shape) + "' at '" + path_ +
                     "' failed to satisfy constraint: " + constraint);
  }

  void AddNull() {
    if (found_.size() == kReportedMax) return;
    found_.push_back("Value null at '" + path_ +
                     "' failed to satisfy constraint: Member must not be null");
  }

  void CheckString(const Shape& shape, const Json& json) {
    const std::string_view text = StringOf(json);
    if (shape.or_arn && text.starts_with("arn:")) return;
    if (!MatchesPattern(shape, text)) Add(shape, json, Matches(shape.pattern));
    CheckRange(shape, json, "length", static_cast<std::int64_t>(text.size()));
    if (shape.values.empty()) return;
    if (std::find(shape.values.begin(), shape.values.end(), text) != shape.values.end()) return;
    std::string values;
    for (const std::string_view value : shape.values) {
      values.append(values.empty() ? "" : ", ").append(value);
    }
    Add(shape, json, "Member must satisfy enum value set: [" + values + "]");
  }

  void CheckRange(const Shape& shape, const Json& json, std::string_view what, std::int64_t is) {
    if (is < shape.range.min) Add(shape, json, AtLeast(what, shape.range.min));
    if (is > shape.range.max) Add(shape, json, AtMost(what, shape.range.max));
  }

  // An element of a list, or a value of a map.
  void CheckElement(const Shape& shape, std::string_view step, const Json& json) {
    const std::size_t before = path_.size();
    path_.append(".").append(step).append(".member");
    if (json.is_null()) {
      AddNull();
    } else {
      Check(shape, json);
    }
    path_.resize(before);
  }

  void CheckList(const Shape& shape, const Json& json) {
    const JsonArray array = ArrayOf(json);
    std::int64_t count = 0;
    for (const Json element : array) {
      static_cast<void>(element);
      ++count;
    }
    CheckRange(shape, json, "length", count);
    // Attribute values have no constraints of this kind.
    if (shape.element->kind == Kind::kAttributeValue) return;
    std::int64_t number = 0;
    for (const Json element : array) {
      CheckElement(*shape.element, std::to_string(++number), element);
      if (found_.size() == kReportedMax) return;
    }
  }

  void CheckMap(const Shape& shape, const Json& json) {
    const JsonObject object = ObjectOf(json);
    CheckRange(shape, json, "length", static_cast<std::int64_t>(CountMembers(object)));
    if (shape.key != nullptr && !KeysAreGood(*shape.key, object)) {
      Add(shape, json, "Map keys must satisfy constraint: " + ConstraintList(*shape.key));
    }
    const Shape& element = *shape.element;
    if (element.kind == Kind::kAttributeValue) return;
    if (element.kind == Kind::kList && !ListsAreGood(element, object)) {
      return Add(shape, json, "Map value must satisfy constraint: " + ConstraintList(element));
    }
    for (const simdjson::dom::key_value_pair member : object) {
      CheckElement(element, member.key, member.value);
      if (found_.size() == kReportedMax) return;
    }
  }

  static std::size_t CountMembers(const JsonObject& object) {
    std::size_t count = 0;
    for (auto member = object.begin(); member != object.end(); ++member) ++count;
    return count;
  }

  static bool KeysAreGood(const Shape& key, const JsonObject& object) {
    for (const simdjson::dom::key_value_pair member : object) {
      if (!IsGoodName(key, member.key)) return false;
    }
    return true;
  }

  static bool ListsAreGood(const Shape& list, const JsonObject& object) {
    for (const simdjson::dom::key_value_pair member : object) {
      std::int64_t count = 0;
      for (const Json element : ArrayOf(member.value)) {
        static_cast<void>(element);
        ++count;
      }
      if (!Within(list.range, count)) return false;
    }
    return true;
  }

  std::string path_;
  std::vector<std::string> found_;
};

}  // namespace

std::string CheckConstraints(const Shape& shape, const Json& json) {
  Violations violations;
  violations.Check(shape, json);
  return std::move(violations).Message();
}

}  // namespace dolmen::wire
