#include "wire/attribute_json.h"

#include <algorithm>
#include <string>
#include <utility>

#include "database/base64.h"
#include "engine/base/status_macros.h"
#include "engine/value/stored_form.h"
#include "wire/constraints.h"
#include "wire/errors.h"
#include "wire/java_text.h"
#include "wire/shape.h"

namespace dolmen::wire {
namespace {

// Returns kValidation for a null in a set, with the message that DynamoDB has for a null in a list.
// `type` is the set's type as the message prints it, and `number` counts members from 1.
Status NullMember(std::string_view type, std::size_t number) {
  std::string place(type);
  place.append(".").append(std::to_string(number)).append(".member");
  return Status::Validation(Detected({NullViolation(place)}));
}

// Reads a set into `value`. `read` converts one member. `type` is the set's type as messages print
// it. `empty` returns the error for an empty set, and `duplicates` the error for equal members.
template <typename Set, typename Read>
Status ReadSet(std::string_view type, const Json& json, Status (*empty)(), Read read,
               Status (*duplicates)(const Json&), AttributeValue* value) {
  std::vector<typename Set::value_type> sequence;
  for (const Json member : ArrayOf(json)) {
    if (member.is_null()) return NullMember(type, sequence.size() + 1);
    typename Set::value_type element;
    DOLMEN_RETURN_IF_ERROR(read(StringOf(member), &element));
    sequence.push_back(std::move(element));
  }
  if (sequence.empty()) return empty();
  if (!std::is_sorted(sequence.begin(), sequence.end())) {
    std::sort(sequence.begin(), sequence.end());
  }
  const auto same = [](const auto& a, const auto& b) { return !(a < b); };
  if (std::adjacent_find(sequence.begin(), sequence.end(), same) != sequence.end()) {
    return duplicates(json);
  }
  *value = Set::FromSorted(std::move(sequence));
  return {};
}

Status ReadString(std::string_view text, std::string* out) {
  *out = text;
  return {};
}

Status ReadNumber(std::string_view text, Number* out) {
  const Result<Number> number = Number::Parse(text);
  if (!number.ok()) return Status::Validation(std::string(Truncated(number.status().message())));
  *out = *number;
  return {};
}

Status ReadBinary(std::string_view text, Binary* out) {
  return internal::DecodeBase64(text, &out->bytes);
}

Status ReadStringSet(const Json& json, AttributeValue* value) {
  return ReadSet<StringSet>(
      "sS", json, [] { return InvalidParameter("An string set  may not be empty"); }, ReadString,
      [](const Json& members) {
        return InvalidParameter(std::string(kInputCollection) + JavaText(members, kString) +
                                " contains duplicates.");
      },
      value);
}

Status ReadNumberSet(const Json& json, AttributeValue* value) {
  return ReadSet<NumberSet>(
      "nS", json, [] { return InvalidParameter(kEmptyNumberSet); }, ReadNumber,
      [](const Json&) { return Status::Validation("Input collection contains duplicates"); },
      value);
}

Status ReadBinarySet(const Json& json, AttributeValue* value) {
  return ReadSet<BinarySet>(
      "bS", json, [] { return InvalidParameter("Binary sets should not be empty"); }, ReadBinary,
      [](const Json& members) {
        return InvalidParameter(std::string(kInputCollection) + JavaText(members, kString) +
                                "of type BS contains duplicates.");
      },
      value);
}

// Reads a value of a type that holds a single string, number or binary.
template <typename T>
Status ReadScalar(const Json& json, Status (*read)(std::string_view, T*), AttributeValue* value) {
  T scalar;
  DOLMEN_RETURN_IF_ERROR(read(StringOf(json), &scalar));
  *value = std::move(scalar);
  return {};
}

Status ReadNull(const Json& json, AttributeValue* value) {
  if (!BooleanOf(json)) {
    return InvalidParameter("Null attribute value types must have the value of true");
  }
  *value = Null{};
  return {};
}

Status ReadList(const Json& json, AttributeValue* value) {
  List list;
  for (const Json element : ArrayOf(json)) {
    DOLMEN_RETURN_IF_ERROR(ReadValue(element, &list.emplace_back()));
  }
  *value = std::move(list);
  return {};
}

Status ReadNestedMap(const Json& json, AttributeValue* value) {
  Map map;
  DOLMEN_RETURN_IF_ERROR(ReadAttributes(ObjectOf(json), &map));
  *value = std::move(map);
  return {};
}

// Reads the content of a typed value. Returns false and reads nothing if `tag` is not the name of a
// type.
// - kValidation: the content is not a value of the type.
Result<bool> ReadTagged(std::string_view tag, const Json& json, AttributeValue* value) {
  Status read;
  if (tag == "S") {
    read = ReadScalar<std::string>(json, ReadString, value);
  } else if (tag == "N") {
    read = ReadScalar<Number>(json, ReadNumber, value);
  } else if (tag == "M") {
    read = ReadNestedMap(json, value);
  } else if (tag == "L") {
    read = ReadList(json, value);
  } else if (tag == "BOOL") {
    *value = BooleanOf(json);
  } else if (tag == "NULL") {
    read = ReadNull(json, value);
  } else if (tag == "B") {
    read = ReadScalar<Binary>(json, ReadBinary, value);
  } else if (tag == "SS") {
    read = ReadStringSet(json, value);
  } else if (tag == "NS") {
    read = ReadNumberSet(json, value);
  } else if (tag == "BS") {
    read = ReadBinarySet(json, value);
  } else {
    return false;
  }
  if (!read.ok()) return read;
  return true;
}

Status NotOneDatatype(std::string_view what) {
  return Status::Validation(std::string(kSuppliedValue)
                                .append(what)
                                .append(", must contain exactly one of the supported datatypes"));
}

}  // namespace

Status SeveralDatatypes() { return NotOneDatatype("has more than one datatypes set"); }

Status ReadValue(const Json& json, AttributeValue* value) {
  const JsonObject object = ObjectOf(json);
  if (object.size() == 1) {  // as almost always; then no name repeats
    const simdjson::dom::key_value_pair only = *object.begin();
    if (!only.value.is_null()) {
      DOLMEN_ASSIGN_OR_RETURN(const bool is_type, ReadTagged(only.key, only.value, value));
      return is_type ? Status() : NotOneDatatype("is empty");
    }
  }
  int types = 0;
  for (const auto& [tag, content] : EntriesOf(object)) {
    if (content.is_null()) continue;
    DOLMEN_ASSIGN_OR_RETURN(const bool is_type, ReadTagged(tag, content, value));
    if (is_type) ++types;
  }
  if (types == 1) return {};
  return types == 0 ? NotOneDatatype("is empty") : SeveralDatatypes();
}

Status ReadAttributes(const JsonObject& json, Map* attributes) {
  return ReadMap(
      json,
      [](std::string_view, const Json& content, AttributeValue* value) {
        return ReadValue(content, value);
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
