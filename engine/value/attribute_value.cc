#include "dolmen/attribute_value.h"

#include <type_traits>

namespace dolmen {

// Vectors copy their elements when they grow if a move can throw.
static_assert(std::is_nothrow_move_constructible_v<AttributeValue::Variant>);

AttributeValue::AttributeValue() : value_(Null{}) {}
AttributeValue::AttributeValue(const char* text) {
  if (text != nullptr)
    value_.emplace<std::string>(text);
  else
    value_.emplace<Null>();
}
AttributeValue::AttributeValue(std::string text) : value_(std::move(text)) {}
AttributeValue::AttributeValue(std::string_view text) : value_(std::string(text)) {}
AttributeValue::AttributeValue(Number number) : value_(number) {}
template <std::same_as<bool> B>
AttributeValue::AttributeValue(B value) : value_(value) {}
template AttributeValue::AttributeValue(bool);
AttributeValue::AttributeValue(std::nullptr_t) : value_(Null{}) {}
AttributeValue::AttributeValue(Null) : value_(Null{}) {}
AttributeValue::AttributeValue(Binary bytes) : value_(std::move(bytes)) {}
AttributeValue::AttributeValue(Map map) : value_(std::move(map)) {}
AttributeValue::AttributeValue(List list) : value_(std::move(list)) {}
AttributeValue::AttributeValue(StringSet set) : value_(std::move(set)) {}
AttributeValue::AttributeValue(NumberSet set) : value_(std::move(set)) {}
AttributeValue::AttributeValue(BinarySet set) : value_(std::move(set)) {}

AttributeValue::AttributeValue(const AttributeValue& other) = default;
AttributeValue::AttributeValue(AttributeValue&& other) noexcept = default;
AttributeValue& AttributeValue::operator=(const AttributeValue& other) = default;
AttributeValue& AttributeValue::operator=(AttributeValue&& other) noexcept = default;
AttributeValue::~AttributeValue() = default;

bool operator==(const AttributeValue& a, const AttributeValue& b) { return a.value_ == b.value_; }

std::string_view AttributeTypeName(AttributeType type) {
  switch (type) {
    case AttributeType::kS:
      return "S";
    case AttributeType::kN:
      return "N";
    case AttributeType::kB:
      return "B";
    case AttributeType::kBool:
      return "BOOL";
    case AttributeType::kNull:
      return "NULL";
    case AttributeType::kM:
      return "M";
    case AttributeType::kL:
      return "L";
    case AttributeType::kSS:
      return "SS";
    case AttributeType::kNS:
      return "NS";
    case AttributeType::kBS:
      return "BS";
  }
  return "?";
}

}  // namespace dolmen
