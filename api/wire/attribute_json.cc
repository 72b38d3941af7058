#include "wire/attribute_json.h"

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>

#include "database/base64.h"
#include "engine/base/status_macros.h"
#include "engine/value/codec.h"
#include "engine/value/stored_form.h"
#include "engine/value/violation.h"
#include "wire/constraints.h"
#include "wire/java_text.h"
#include "wire/shape.h"

namespace dolmen::wire {
namespace {

// Returns kValidation for a null in a set, with the message that DynamoDB has for a null in a list.
// `type` is the set's type as the message prints it, and `number` counts members from 1.
Status NullMember(std::string_view type, std::size_t number) {
  std::string place(type);
  place.append(".").append(std::to_string(number)).append(".member");
  return engine::DetectedOne(engine::NullViolation(place));
}

// Reads one value, and the values in it.
class ValueReader {
 public:
  explicit ValueReader(Checker checker, int containers_max = kContainersMax)
      : checker_(checker), containers_max_(containers_max) {}

  Status Read(const Json& json, AttributeValue* value) {
    const JsonObject object = ObjectOf(json);
    if (object.size() == 1) {  // as almost always; then no name repeats
      const simdjson::dom::key_value_pair only = *object.begin();
      if (!only.value.is_null()) {
        DOLMEN_ASSIGN_OR_RETURN(const bool is_type, ReadTagged(only.key, only.value, value));
        return is_type ? Status() : NoDatatype();
      }
    }
    return ReadAnyOf(object, value);
  }

 private:
  // Reads the value of an object with any number of members. On the stack, which a value in each level uses, the
  // members would take half a kilobyte.
  Status ReadAnyOf(const JsonObject& object, AttributeValue* value) {
    const std::unique_ptr<const JsonEntries> members(new JsonEntries(EntriesOf(object)));
    int types = 0;
    for (const auto& [tag, content] : *members) {
      if (content.is_null()) continue;
      DOLMEN_ASSIGN_OR_RETURN(const bool is_type, ReadTagged(tag, content, value));
      if (is_type) ++types;
    }
    if (types == 1) return {};
    return types == 0 ? NoDatatype() : SeveralDatatypes();
  }

  // Reads the content of a typed value. Returns false and reads nothing if `tag` is not the name of a
  // type.
  // - kValidation: the content is not a value of the type.
  Result<bool> ReadTagged(std::string_view tag, const Json& json, AttributeValue* value) {
    Status read;
    if (tag == "S") {
      read = ReadScalar<std::string>(json, value);
    } else if (tag == "N") {
      read = ReadScalar<Number>(json, value);
    } else if (tag == "M") {
      read = ReadNested(&ValueReader::ReadMapOfValues, json, value);
    } else if (tag == "L") {
      read = ReadNested(&ValueReader::ReadList, json, value);
    } else if (tag == "BOOL") {
      *value = BooleanOf(json);
    } else if (tag == "NULL") {
      read = BooleanOf(json) ? Status() : NullFault();
      *value = Null{};
    } else if (tag == "B") {
      read = ReadScalar<Binary>(json, value);
    } else if (tag == "SS") {
      read = ReadSet<StringSet>(tag, json, value);
    } else if (tag == "NS") {
      read = ReadSet<NumberSet>(tag, json, value);
    } else if (tag == "BS") {
      read = ReadSet<BinarySet>(tag, json, value);
    } else {
      return false;
    }
    if (!read.ok()) return read;
    return true;
  }

  Status ReadText(std::string_view text, std::string* out) const {
    *out = text;
    return {};
  }
  Status ReadText(std::string_view text, Number* out) const {
    DOLMEN_ASSIGN_OR_RETURN(*out, ReadNumber(text, checker_));
    return {};
  }
  Status ReadText(std::string_view text, Binary* out) const {
    return internal::DecodeBase64(text, &out->bytes);
  }

  // Reads a value of a type that holds a single string, number or binary.
  template <typename T>
  Status ReadScalar(const Json& json, AttributeValue* value) const {
    T scalar;
    DOLMEN_RETURN_IF_ERROR(ReadText(StringOf(json), &scalar));
    *value = std::move(scalar);
    return {};
  }

  template <typename Set>
  Status ReadSet(std::string_view type, const Json& json, AttributeValue* value) const {
    std::vector<typename Set::value_type> sequence;
    for (const Json member : ArrayOf(json)) {
      if (member.is_null()) return NullMember(LowerFirst(type), sequence.size() + 1);
      typename Set::value_type element;
      DOLMEN_RETURN_IF_ERROR(ReadText(StringOf(member), &element));
      sequence.push_back(std::move(element));
    }
    if (sequence.empty()) return EmptySetFault(type);
    if (!std::is_sorted(sequence.begin(), sequence.end())) {
      std::sort(sequence.begin(), sequence.end());
    }
    const auto same = [](const auto& a, const auto& b) { return !(a < b); };
    if (std::adjacent_find(sequence.begin(), sequence.end(), same) != sequence.end()) {
      return DuplicatesFault(type, json, checker_);
    }
    *value = Set::FromSorted(std::move(sequence));
    return {};
  }

  Status ReadNested(Status (ValueReader::*read)(const Json&, AttributeValue*), const Json& json,
                    AttributeValue* value) {
    if (containers_ == containers_max_) return engine::NestedTooDeep();
    ++containers_;
    Status done = (this->*read)(json, value);
    --containers_;
    return done;
  }

  Status ReadList(const Json& json, AttributeValue* value) {
    List list;
    for (const Json element : ArrayOf(json)) {
      DOLMEN_RETURN_IF_ERROR(Read(element, &list.emplace_back()));
    }
    *value = std::move(list);
    return {};
  }

  Status ReadMapOfValues(const Json& json, AttributeValue* value) {
    // On the heap, like the members in ReadAnyOf.
    const std::unique_ptr<JsonEntries> entries(new JsonEntries(EntriesOf(ObjectOf(json))));
    Map map;
    DOLMEN_RETURN_IF_ERROR(ReadEntries(
        entries.get(),
        [&](std::string_view, const Json& content, AttributeValue* read) {
          return Read(content, read);
        },
        &map));
    *value = std::move(map);
    return {};
  }

  Checker checker_;
  int containers_max_;
  int containers_ = 0;  // around the value that is being read
};

}  // namespace

bool IsTypeName(std::string_view name) {
  constexpr std::array<std::string_view, 10> kTypes = {"S", "N", "B",  "BOOL", "NULL",
                                                       "M", "L", "SS", "NS",   "BS"};
  return std::ranges::find(kTypes, name) != kTypes.end();
}

Status ReadValue(const Json& json, AttributeValue* value, Checker checker, int containers_max) {
  return ValueReader(checker, containers_max).Read(json, value);
}

Status ReadAttributes(const JsonObject& json, Map* attributes, Checker checker) {
  return ReadMap(
      json,
      [checker](std::string_view, const Json& content, AttributeValue* value) {
        return ReadValue(content, value, checker);
      },
      attributes);
}

Result<Item> ReadItem(const Json& json) {
  Faults faults = Check(kAttributeMapShape, json);
  if (!faults.type.empty()) return Status::Validation(std::move(faults.type));
  Item item;
  DOLMEN_RETURN_IF_ERROR(ReadAttributes(ObjectOf(json), &item));
  return item;
}

Result<Item> ReadNamedItem(const Json& json) {
  constexpr std::size_t kShownBytesMax = 200;
  Result<Item> item = ReadItem(json);
  if (item.ok()) return item;
  for (const auto& [name, content] : EntriesOf(ObjectOf(json))) {
    AttributeValue value;
    if (Check(kAttributeValueShape, content).type.empty() && ReadValue(content, &value).ok()) {
      continue;
    }
    const std::string text = simdjson::minify(content);
    const std::string_view shown = Truncated(text, kShownBytesMax);
    return Status::Validation(std::string(name)
                                  .append(": ")
                                  .append(shown)
                                  .append(shown.size() < text.size() ? "..." : "")
                                  .append(": ")
                                  .append(item.status().message()));
  }
  return item;
}

Result<StoredItem> ReadStored(const Json& json) {
  const Result<Item> item = ReadItem(json);
  if (item.ok()) return internal::ToStored(*item);
  return Status::InternalServerError().WithMessage("The response of the service cannot be read: " +
                                                   item.status().message());
}

}  // namespace dolmen::wire
