// One description of the JSON of a structure: for each member its name, its shape in requests, and the
// field of the C++ structure. From it follow the check of requests (constraints.h), the reader and the
// writer, so that a server and a client cannot differ.

#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "dolmen/clock.h"
#include "dolmen/item_view.h"
#include "dolmen/result.h"
#include "engine/base/status_macros.h"
#include "wire/attribute_json.h"
#include "wire/enum_names.h"
#include "wire/json.h"
#include "wire/json_writer.h"
#include "wire/shape.h"

namespace dolmen::wire {

// The description of the structure `S`: a Described<S>. Each structure specializes it.
template <typename S>
constexpr auto kMembers = nullptr;

// A member of the structure `S`.
template <typename S>
struct Field {
  MemberShape shape;  // without a shape: a request does not have the member
  // Reads a value that is not null. Null: nothing is read.
  Status (*read)(const Json& json, S* structure) = nullptr;
  // Writes the name and the value, or nothing. Null: nothing is written.
  void (*write)(std::string_view name, const S& structure, JsonWriter* json) = nullptr;
};

// The fields of a structure, and the shape of its requests.
template <typename S, std::size_t kCount>
struct Described : Shape {
  constexpr Described(const Field<S> (&given)[kCount]) : Shape{.kind = Kind::kStructure} {
    std::copy(given, given + kCount, fields);
    std::size_t count = 0;
    for (const Field<S>& field : fields) {
      const bool is_name = field.shape.shape == nullptr && field.read == nullptr && !field.write;
      if (is_name) name = field.shape.name;
      if (field.shape.shape != nullptr) list[count++] = field.shape;
    }
    members = std::span(list).first(count);
  }
  Described(const Described&) = delete;  // the base refers to `list`
  Described& operator=(const Described&) = delete;

  Field<S> fields[kCount] = {};
  MemberShape list[kCount] = {};
};

// Reads the members of the description that the object has. Leaves the other fields unchanged.
// - kInternalServerError: an item is invalid.
template <typename S, std::size_t kCount>
Status DecodeMembers(const Described<S, kCount>& description, const JsonObject& object, S* to) {
  for (const Field<S>& field : description.fields) {
    if (field.read == nullptr) continue;
    const std::optional<Json> json = Member(object, field.shape.name);
    if (json) DOLMEN_RETURN_IF_ERROR(field.read(*json, to));
  }
  return {};
}
template <typename S>
Status Decode(const JsonObject& object, S* to) {
  return DecodeMembers(kMembers<S>, object, to);
}

// Writes the members, without the braces around them.
template <typename S, std::size_t kCount>
void EncodeMembers(const Described<S, kCount>& description, const S& from, JsonWriter* json) {
  for (const Field<S>& field : description.fields) {
    if (field.write != nullptr) field.write(field.shape.name, from, json);
  }
}
template <typename S>
void Encode(const S& from, JsonWriter* json) {
  json->BeginObject();
  EncodeMembers(kMembers<S>, from, json);
  json->EndObject();
}
template <typename S>
std::string ToJson(const S& from) {
  std::string text;
  JsonWriter json(&text);
  Encode(from, &json);
  return text;
}

namespace members {

template <typename T>
inline constexpr bool kIsVector = false;
template <typename T>
inline constexpr bool kIsVector<std::vector<T>> = true;
template <typename T>
inline constexpr bool kIsOptional = false;
template <typename T>
inline constexpr bool kIsOptional<std::optional<T>> = true;

// Reads a value. An unknown name of an enumeration leaves `value` unchanged. A number beyond the range
// of the type becomes the nearest one.
template <typename T>
Status ReadTo(const Json& json, T* value) {
  if constexpr (std::is_same_v<T, std::string>) {
    *value = StringOf(json);
  } else if constexpr (std::is_same_v<T, bool>) {
    *value = BooleanOf(json);
  } else if constexpr (std::is_same_v<T, Timestamp>) {
    *value = TimeOf(json).value_or(*value);
  } else if constexpr (std::is_same_v<T, StoredItem>) {
    DOLMEN_ASSIGN_OR_RETURN(*value, ReadStored(json));
  } else if constexpr (std::unsigned_integral<T>) {
    constexpr auto kMax = static_cast<std::int64_t>(std::min<std::uint64_t>(
        std::numeric_limits<T>::max(), std::numeric_limits<std::int64_t>::max()));
    *value = static_cast<T>(std::clamp<std::int64_t>(IntegerOf(json), 0, kMax));
  } else if constexpr (std::is_enum_v<T>) {
    *value = kNames<T>.ValueOf(StringOf(json), *value);
  } else if constexpr (kIsOptional<T>) {
    return ReadTo(json, &value->emplace());
  } else if constexpr (kIsVector<T>) {
    for (const Json element : ArrayOf(json)) {
      DOLMEN_RETURN_IF_ERROR(ReadTo(element, &value->emplace_back()));
    }
  } else {
    return Decode(ObjectOf(json), value);
  }
  return {};
}

template <typename T>
void WriteFrom(const T& value, JsonWriter* json) {
  if constexpr (std::is_same_v<T, std::string>) {
    json->String(value);
  } else if constexpr (std::is_same_v<T, bool>) {
    json->Boolean(value);
  } else if constexpr (std::is_same_v<T, Timestamp>) {
    json->Time(value);
  } else if constexpr (std::is_same_v<T, StoredItem>) {
    json->Attributes(value.view());
  } else if constexpr (std::unsigned_integral<T>) {
    json->Unsigned(value);
  } else if constexpr (std::is_enum_v<T>) {
    json->String(kNames<T>.NameOf(value));
  } else if constexpr (kIsOptional<T>) {
    WriteFrom(*value, json);
  } else if constexpr (kIsVector<T>) {
    json->BeginArray();
    for (const auto& element : value) WriteFrom(element, json);
    json->EndArray();
  } else {
    Encode(value, json);
  }
}

// Returns true if the value must be written as an optional member.
template <typename T>
bool IsGiven(const T& value) {
  if constexpr (kIsOptional<T>) {
    return value.has_value();
  } else if constexpr (std::is_same_v<T, std::string> || kIsVector<T>) {
    return !value.empty();
  } else if constexpr (std::is_same_v<T, bool>) {
    return value;
  } else {
    return true;
  }
}

template <typename S, typename T>
S OwnerOf(T S::*);
template <auto kField>
using Owner = decltype(OwnerOf(kField));

}  // namespace members

// Return a member of a request or a response. `shape` is null for a member that only responses have.

// A member that is always written.
template <auto kField>
constexpr auto Always(std::string_view name, const Shape* shape = nullptr, bool required = false) {
  using S = members::Owner<kField>;
  return Field<S>{{name, shape, required},
                  [](const Json& json, S* to) { return members::ReadTo(json, &(to->*kField)); },
                  [](std::string_view member, const S& from, JsonWriter* json) {
                    json->Key(member);
                    members::WriteFrom(from.*kField, json);
                  }};
}
// A member that a request must have.
template <auto kField>
constexpr auto Required(std::string_view name, const Shape* shape) {
  return Always<kField>(name, shape, true);
}
// A member that is written unless the field is empty or false.
template <auto kField>
constexpr auto Optional(std::string_view name, const Shape* shape = nullptr) {
  using S = members::Owner<kField>;
  Field<S> field = Always<kField>(name, shape);
  field.write = [](std::string_view member, const S& from, JsonWriter* json) {
    if (members::IsGiven(from.*kField)) Always<kField>({}).write(member, from, json);
  };
  return field;
}
// A structure in JSON whose members are fields of the same C++ structure.
template <const auto& kDescription>
constexpr auto Inside(std::string_view name, const Shape* shape = nullptr, bool required = false) {
  return
      []<typename S, std::size_t kCount>(const Described<S, kCount>&, const MemberShape& member) {
        return Field<S>{
            member,
            [](const Json& json, S* to) { return DecodeMembers(kDescription, ObjectOf(json), to); },
            [](std::string_view key, const S& from, JsonWriter* json) {
              json->Key(key);
              json->BeginObject();
              EncodeMembers(kDescription, from, json);
              json->EndObject();
            }};
      }(kDescription, MemberShape{name, shape, required});
}
// A member of requests that is neither read nor written here.
template <typename S>
constexpr Field<S> Only(const MemberShape& member) {
  return {member};
}
// Gives the structure its class name (Shape::name).
template <typename S>
constexpr Field<S> ClassName(std::string_view name) {
  return {{.name = name}};
}

}  // namespace dolmen::wire
