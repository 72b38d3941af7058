// Attribute values and items that a program builds, changes and keeps: DynamoDB's ten types as
// plain C++ values. An ItemView (item_view.h) reads a stored item in place, without building
// these.
//
//   Item item = {{"PK", "USER#1"}, {"SK", "PROFILE"}, {"age", 42}, {"nickname", nullptr}};
//   item["tags"] = StringSet{"a", "b"};
//   if (const Number* age = item["age"].get_if<Number>()) std::cout << age->ToString();
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.NamingRulesDataTypes.html

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "dolmen/internal/flat_map.h"
#include "dolmen/internal/lifetime.h"
#include "dolmen/number.h"

namespace dolmen {

// An attribute's type. The numbers are stored on disk (engine/storage/FORMAT.md): never change or
// reuse a number.
enum class AttributeType : std::uint8_t {
  kS = 1,     // text in UTF-8
  kN = 2,     // a decimal number of up to 38 digits (number.h)
  kB = 3,     // bytes
  kBool = 4,  // true or false
  kNull = 5,  // the only value of this type is null
  kM = 6,     // a map from names to values of any type
  kL = 7,     // a list of values of any type
  kSS = 8,    // a set of texts
  kNS = 9,    // a set of numbers
  kBS = 10,   // a set of byte strings
};

// Returns DynamoDB's name of the type: "S", "N", "B", "BOOL", "NULL", "M", "L", "SS", "NS", "BS".
std::string_view AttributeTypeName(AttributeType type);

// Bytes without a character set. They sort as unsigned bytes; a prefix sorts before a longer
// value.
struct Binary {
  std::string bytes;

  friend bool operator==(const Binary&, const Binary&) = default;
  friend std::strong_ordering operator<=>(const Binary&, const Binary&) = default;
};

// The value of type NULL. An attribute that holds it exists: attribute_exists() is true for it.
struct Null {
  friend bool operator==(Null, Null) { return true; }
};

class AttributeValue;

// Attributes by name, in byte order of the names: one sorted array with the usual methods of a
// std::map. Inserting or erasing an attribute invalidates all pointers and iterators into the map.
using Map = internal::FlatMap<AttributeValue>;

// A whole item: all its top-level attributes, including the key attributes.
using Item = Map;

// A list of values, which keeps their order. The values may have different types. The list may be
// empty.
using List = std::vector<AttributeValue>;

// Sets without duplicates: the constructor drops duplicates. The order of the members has no
// meaning. A write of an item that contains an empty set is rejected.
using StringSet = internal::FlatSet<std::string>;
using NumberSet = internal::FlatSet<Number>;
using BinarySet = internal::FlatSet<Binary>;

// One attribute value of any of the ten types. The constructors convert implicitly, so that an
// item is written as an initializer list:
//
//   Item{{"PK", "USER#1"}, {"age", 42}, {"tags", StringSet{"a", "b"}}, {"nickname", nullptr}}
//
// The constructors check no limits. A request fails with kValidation if one of its values breaks a
// limit:
// - A text and an attribute name must be valid UTF-8.
// - A set must not be empty. A double must be in the range of DynamoDB's numbers
//   (Number::FromDouble).
// - Maps and lists must nest at most 32 levels deep.
// - A top-level attribute name must have 1 to 65,535 bytes.
// - An item must have at most 400 KB, names included.
//
// An AttributeValue owns everything in it; copying is deep. Const methods are thread-safe.
class DOLMEN_OWNER AttributeValue {
 public:
  // The types in this variant have the same order as the values of AttributeType, because type()
  // computes the AttributeType from the variant's index().
  using Variant = std::variant<std::string, Number, Binary, bool, Null, Map, List, StringSet,
                               NumberSet, BinarySet>;

  // NULL.
  AttributeValue();

  // Make a value of type S. Copy the text, or move it if it is a std::string&&. A null
  // `const char*` makes NULL, as nullptr does.
  AttributeValue(const char* text);
  AttributeValue(std::string text);
  AttributeValue(std::string_view text);

  // Make a value of type N from a Number, from an integer of up to 64 bits, or from a double or a
  // float (Number::FromDouble). A request rejects a double that is not a number, infinite or
  // outside DynamoDB's range. Characters do not convert: write "M", not 'M'.
  AttributeValue(Number number);
  template <Integer I>
  AttributeValue(I number) : AttributeValue(Number(number)) {}
  template <typename F>
    requires(std::same_as<F, double> || std::same_as<F, float>)
  AttributeValue(F number) : AttributeValue(Number::OrInvalid(Number::FromDouble(number))) {}
  template <std::same_as<long double> F>
  AttributeValue(F) = delete;

  // Makes a value of type BOOL. Accepts only a bool, so that a pointer does not convert to true.
  template <std::same_as<bool> B>
  AttributeValue(B value);

  // NULL.
  AttributeValue(std::nullptr_t);
  AttributeValue(Null);

  // Make a value of type B, M, L, SS, NS or BS.
  AttributeValue(Binary bytes);
  AttributeValue(Map map);
  AttributeValue(List list);
  AttributeValue(StringSet set);
  AttributeValue(NumberSet set);
  AttributeValue(BinarySet set);

  // Copy a value, or move it. A value that was moved from keeps its type. The library defines these
  // functions, so that a program does not compile them in each of its sources.
  AttributeValue(const AttributeValue& other);
  AttributeValue(AttributeValue&& other) noexcept;
  AttributeValue& operator=(const AttributeValue& other);
  AttributeValue& operator=(AttributeValue&& other) noexcept;
  ~AttributeValue();

  AttributeType type() const { return static_cast<AttributeType>(value_.index() + 1); }

  // Returns the value if it is a T, otherwise null. T is one of std::string, Number, Binary, bool,
  // Null, Map, List, StringSet, NumberSet, BinarySet. The pointer is valid until this
  // AttributeValue is assigned to, moved from or destroyed.
  template <typename T>
  const T* get_if() const DOLMEN_LIFETIME_BOUND {
    return std::get_if<T>(&value_);
  }
  template <typename T>
  T* get_if() DOLMEN_LIFETIME_BOUND {
    return std::get_if<T>(&value_);
  }

  // Returns the value as a std::variant, for std::visit. The reference is valid until this
  // AttributeValue is assigned to, moved from or destroyed.
  const Variant& variant() const DOLMEN_LIFETIME_BOUND { return value_; }

  // Returns true if both values have the same type and are equal. Numbers compare by value, sets by
  // their members in any order, lists and maps element by element.
  friend bool operator==(const AttributeValue& a, const AttributeValue& b);

 private:
  Variant value_;
};

}  // namespace dolmen

#include "dolmen/internal/show_macros.h"
