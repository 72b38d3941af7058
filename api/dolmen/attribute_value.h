// Attribute values and items that a caller builds, changes and keeps: DynamoDB's ten types as plain
// values.  What the store hands out to be read in place is an ItemView (item_view.h).

#pragma once

#include <boost/container/flat_map.hpp>
#include <boost/container/flat_set.hpp>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "dolmen/number.h"

namespace dolmen {

// DynamoDB's attribute types.  The numbers are stored on disk (engine/storage/FORMAT.md): never
// change or reuse one.
enum class AttributeType : std::uint8_t {
  kS = 1,
  kN = 2,
  kB = 3,
  kBool = 4,
  kNull = 5,
  kM = 6,
  kL = 7,
  kSS = 8,
  kNS = 9,
  kBS = 10,
};

// DynamoDB's name of the type: "S", "N", "B", "BOOL", "NULL", "M", "L", "SS", "NS", "BS".
std::string_view AttributeTypeName(AttributeType type);

// Bytes without a character set; ordered as unsigned bytes.
struct Binary {
  std::string bytes;

  friend bool operator==(const Binary&, const Binary&) = default;
  friend std::strong_ordering operator<=>(const Binary&, const Binary&) = default;
};

// The value of type NULL, which is a value: an attribute holding it exists.
struct Null {
  friend bool operator==(Null, Null) { return true; }
};

class AttributeValue;

// Attributes by name, in byte order of the names.  An item is such a map.
using Map = boost::container::flat_map<std::string, AttributeValue, std::less<>>;
using Item = Map;
using List = std::vector<AttributeValue>;

// Sets have no order and no duplicates; DynamoDB refuses to store an empty one.
using StringSet = boost::container::flat_set<std::string, std::less<>>;
using NumberSet = boost::container::flat_set<Number>;
using BinarySet = boost::container::flat_set<Binary>;

// One attribute value.  Converts from what a program has at hand, so that an item can be written as
// Item{{"PK", "USER#1"}, {"age", 42}, {"tags", StringSet{"a", "b"}}, {"nickname", nullptr}}.
//
// Limits (UTF-8, nesting, size, empty sets) are checked when an item is written, not here.
// A value; const methods may be called from any thread.
class AttributeValue {
 public:
  using Variant = std::variant<std::string, Number, Binary, bool, Null, Map, List, StringSet,
                               NumberSet, BinarySet>;

  AttributeValue() : value_(Null{}) {}
  AttributeValue(const char* text) : value_(std::string(text)) {}
  AttributeValue(std::string text) : value_(std::move(text)) {}
  AttributeValue(std::string_view text) : value_(std::string(text)) {}
  AttributeValue(Number number) : value_(number) {}
  template <std::integral I>
    requires(!std::same_as<I, bool>)
  AttributeValue(I number) : value_(Number(number)) {}
  // A double is not a decimal: write Number::Parse("0.1").
  template <std::floating_point F>
  AttributeValue(F) = delete;
  template <std::same_as<bool> B>
  AttributeValue(B value) : value_(value) {}
  AttributeValue(std::nullptr_t) : value_(Null{}) {}
  AttributeValue(Null) : value_(Null{}) {}
  AttributeValue(Binary bytes) : value_(std::move(bytes)) {}
  AttributeValue(Map map) : value_(std::move(map)) {}
  AttributeValue(List list) : value_(std::move(list)) {}
  AttributeValue(StringSet set) : value_(std::move(set)) {}
  AttributeValue(NumberSet set) : value_(std::move(set)) {}
  AttributeValue(BinarySet set) : value_(std::move(set)) {}

  AttributeType type() const { return static_cast<AttributeType>(value_.index() + 1); }

  // The value if it is a T (std::string, Number, Binary, bool, Null, Map, List, StringSet,
  // NumberSet, BinarySet), else null.  Lives until this AttributeValue is changed.
  template <typename T>
  const T* get_if() const DOLMEN_LIFETIME_BOUND {
    return std::get_if<T>(&value_);
  }
  template <typename T>
  T* get_if() DOLMEN_LIFETIME_BOUND {
    return std::get_if<T>(&value_);
  }
  const Variant& variant() const DOLMEN_LIFETIME_BOUND { return value_; }

  // Same type and equal value: numbers as numbers, sets without order, lists and maps deeply.
  friend bool operator==(const AttributeValue& a, const AttributeValue& b);

 private:
  Variant value_;
};

inline bool operator==(const AttributeValue& a, const AttributeValue& b) {
  return a.value_ == b.value_;
}

}  // namespace dolmen
