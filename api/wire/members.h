// One description of the JSON of a structure: for each member its name, its shape in requests, and the
// field of the C++ structure. From it follow the check of requests (constraints.h), the reader and the
// writer, so that a server and a client cannot differ. The pages of Query and Scan, TableDescription and
// ConsumedCapacity are not described: a server streams the first, and each side knows another part of the others.

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
#include <variant>
#include <vector>

#include "dolmen/clock.h"
#include "dolmen/expression.h"
#include "dolmen/item_view.h"
#include "dolmen/operations.h"
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
  using Structure = S;

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

// Returns a description with the fields `first`, followed by those of `rest`.
template <typename S, std::size_t kCount, std::size_t kRest>
constexpr Described<S, kCount + kRest> Joined(const Field<S> (&first)[kCount],
                                              const Described<S, kRest>& rest) {
  Field<S> all[kCount + kRest] = {};
  std::copy(rest.fields, rest.fields + kRest, std::copy(first, first + kCount, all));
  return all;
}

// Reads the members of the description that the object has, in the order of the description. Leaves the
// other fields unchanged.
// - kValidation: a value of a request is invalid. The message is DynamoDB's.
// - kInternalServerError: an item of a response is invalid.
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

// Returns how many members of the description the object has.
template <typename S, std::size_t kCount>
int CountMembers(const Described<S, kCount>& description, const JsonObject& object) {
  return static_cast<int>(std::ranges::count_if(
      description.members,
      [&](const MemberShape& member) { return Member(object, member.name).has_value(); }));
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
// Write a request for the table: the member TableName, and the members of the description.
template <typename S, std::size_t kCount>
void EncodeFor(std::string_view table, const Described<S, kCount>& description, const S& from,
               JsonWriter* json) {
  json->BeginObject();
  json->StringField("TableName", table);
  EncodeMembers(description, from, json);
  json->EndObject();
}
template <typename S>
std::string ToJson(std::string_view table, const S& from) {
  std::string text;
  JsonWriter json(&text);
  EncodeFor(table, kMembers<S>, from, &json);
  return text;
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
template <typename T>
inline constexpr bool kIsExpression = false;
template <ExpressionKind kKind, typename Syntax>
inline constexpr bool kIsExpression<Expression<kKind, Syntax>> = true;

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
  } else if constexpr (std::is_same_v<T, Map>) {
    return ReadAttributes(ObjectOf(json), value);
  } else if constexpr (std::is_same_v<T, Names>) {
    return ReadMap(
        ObjectOf(json),
        [](std::string_view, const Json& name, std::string* read) { return ReadTo(name, read); },
        value);
  } else if constexpr (std::is_same_v<T, AttributeValue>) {
    return ReadValue(json, value);
  } else if constexpr (kIsExpression<T>) {
    *value = T(StringOf(json));
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
  } else if constexpr (std::is_same_v<T, Map>) {
    json->ItemAttributes(value);
  } else if constexpr (std::is_same_v<T, Names>) {
    json->BeginObject();
    for (const auto& [token, name] : value) json->StringField(token, name);
    json->EndObject();
  } else if constexpr (std::is_same_v<T, AttributeValue>) {
    json->Value(value);
  } else if constexpr (kIsExpression<T>) {
    json->String(*value.text());
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
  } else if constexpr (kIsExpression<T>) {
    return value.given();
  } else if constexpr (requires { value.empty(); }) {
    return !value.empty();
  } else if constexpr (std::is_same_v<T, bool> || std::is_enum_v<T>) {
    return value != T();
  } else {
    return true;
  }
}

// A field of the structure S: the field `kFirst`, or a field of it.
template <typename S, typename T>
S OwnerOf(T S::*);
template <auto kFirst, auto...>
struct Path {
  using Owner = decltype(OwnerOf(kFirst));
};
template <auto... kField>
using Owner = typename Path<kField...>::Owner;
template <auto kFirst, auto... kRest>
constexpr auto& In(auto& structure) {
  return ((structure.*kFirst).*....*kRest);
}

}  // namespace members

// Return a member of a request or a response. `shape` is null for a member that only responses have.
// Several pointers name a field of a field: Always<&Outer::inner, &Inner::field>("Field").

// A member that is always written.
template <auto... kField>
constexpr auto Always(std::string_view name, const Shape* shape = nullptr, bool required = false) {
  using S = members::Owner<kField...>;
  return Field<S>{
      {name, shape, required},
      [](const Json& json, S* to) { return members::ReadTo(json, &members::In<kField...>(*to)); },
      [](std::string_view member, const S& from, JsonWriter* json) {
        json->Key(member);
        members::WriteFrom(members::In<kField...>(from), json);
      }};
}
// A member that a request must have.
template <auto... kField>
constexpr auto Required(std::string_view name, const Shape* shape) {
  return Always<kField...>(name, shape, true);
}
// A member that is written unless the field is empty, false or the first value of an enumeration.
template <auto... kField>
constexpr auto Optional(std::string_view name, const Shape* shape = nullptr) {
  using S = members::Owner<kField...>;
  Field<S> field = Always<kField...>(name, shape);
  field.write = [](std::string_view member, const S& from, JsonWriter* json) {
    if (members::IsGiven(members::In<kField...>(from)))
      Always<kField...>({}).write(member, from, json);
  };
  return field;
}
// A boolean that is the text `kTrue` or another one. It is written unless it is false.
template <const std::string_view& kTrue, auto... kField>
constexpr auto IsText(std::string_view name, const Shape* shape = nullptr) {
  using S = members::Owner<kField...>;
  return Field<S>{{name, shape},
                  [](const Json& json, S* to) {
                    members::In<kField...>(*to) = StringOf(json) == kTrue;
                    return Status();
                  },
                  [](std::string_view member, const S& from, JsonWriter* json) {
                    if (members::In<kField...>(from)) json->StringField(member, kTrue);
                  }};
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
// A structure in JSON that stands for the alternative `A` of a variant. It is written if the variant holds
// the alternative.
template <typename V, typename A, const auto& kDescription>
constexpr Field<V> Alternative(std::string_view name) {
  return {{name, &kDescription},
          [](const Json& json, V* to) {
            return DecodeMembers(kDescription, ObjectOf(json), &to->template emplace<A>());
          },
          [](std::string_view member, const V& from, JsonWriter* json) {
            const A* const alternative = std::get_if<A>(&from);
            if (alternative == nullptr) return;
            json->Key(member);
            json->BeginObject();
            EncodeMembers(kDescription, *alternative, json);
            json->EndObject();
          }};
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
