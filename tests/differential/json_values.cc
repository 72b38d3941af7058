#include "tests/differential/json_values.h"

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace dolmen::differential {
namespace {

constexpr std::string_view kBase64 =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::string EncodeBase64(std::string_view bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::string_view group = bytes.substr(i, 3);
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      bits = bits << 8U | (k < group.size() ? static_cast<unsigned char>(group[k]) : 0U);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      text += k > group.size() ? '=' : kBase64[bits >> (18 - 6 * k) & 63U];
    }
  }
  return text;
}

Binary DecodeBase64(std::string_view text) {
  Binary binary;
  std::uint32_t bits = 0;
  unsigned count = 0;
  for (const char c : text.substr(0, text.find('='))) {
    const std::size_t digit = kBase64.find(c);
    if (digit == std::string_view::npos) throw std::invalid_argument("not base64");
    bits = bits << 6U | static_cast<std::uint32_t>(digit);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    binary.bytes += static_cast<char>(bits >> count & 255U);
  }
  return binary;
}

Result<AttributeValue> NumberFromJson(const Json& json) {
  auto number = Number::Parse(json.get<std::string>());
  if (!number.ok()) return number.status();
  return AttributeValue(*number);
}

Result<AttributeValue> NumberSetFromJson(const Json& json) {
  NumberSet set;
  for (const Json& member : json) {
    auto number = Number::Parse(member.get<std::string>());
    if (!number.ok()) return number.status();
    set.insert(*number);
  }
  return AttributeValue(std::move(set));
}

Result<AttributeValue> ListFromJson(const Json& json) {
  List list;
  for (const Json& element : json) {
    auto value = ValueFromJson(element);
    if (!value.ok()) return value.status();
    list.push_back(*std::move(value));
  }
  return AttributeValue(std::move(list));
}

// A visitor that converts an attribute value to a pair of its type's name and its JSON. For the
// string "x" it returns {"S", "x"}.
struct ToTyped {
  std::pair<const char*, Json> operator()(const std::string& text) const { return {"S", text}; }
  std::pair<const char*, Json> operator()(const Number& n) const { return {"N", n.ToString()}; }
  std::pair<const char*, Json> operator()(const Binary& binary) const {
    return {"B", EncodeBase64(binary.bytes)};
  }
  std::pair<const char*, Json> operator()(bool value) const { return {"BOOL", value}; }
  std::pair<const char*, Json> operator()(Null) const { return {"NULL", true}; }
  std::pair<const char*, Json> operator()(const Map& map) const { return {"M", ToJson(map)}; }
  std::pair<const char*, Json> operator()(const List& list) const {
    Json array = Json::array();
    for (const AttributeValue& element : list) array.push_back(ToJson(element));
    return {"L", std::move(array)};
  }
  template <typename Set>
  std::pair<const char*, Json> operator()(const Set& set) const {
    Json array = Json::array();
    const char* type = "";
    for (const auto& member : set) {
      auto [member_type, json] = (*this)(member);
      type = *member_type == 'S' ? "SS" : *member_type == 'N' ? "NS" : "BS";
      array.push_back(std::move(json));
    }
    return {type, std::move(array)};
  }
};

}  // namespace

Result<AttributeValue> ValueFromJson(const Json& json) {
  const std::string type = json.begin().key();
  const Json& value = json.front();
  if (type == "S") return AttributeValue(value.get<std::string>());
  if (type == "N") return NumberFromJson(value);
  if (type == "B") return AttributeValue(DecodeBase64(value.get<std::string>()));
  if (type == "BOOL") return AttributeValue(value.get<bool>());
  if (type == "NULL") return AttributeValue(nullptr);
  if (type == "L") return ListFromJson(value);
  if (type == "NS") return NumberSetFromJson(value);
  if (type == "M") {
    auto map = MapFromJson(value);
    if (!map.ok()) return map.status();
    return AttributeValue(*std::move(map));
  }
  if (type == "SS") {
    StringSet set;
    for (const Json& member : value) set.insert(member.get<std::string>());
    return AttributeValue(std::move(set));
  }
  if (type == "BS") {
    BinarySet set;
    for (const Json& member : value) set.insert(DecodeBase64(member.get<std::string>()));
    return AttributeValue(std::move(set));
  }
  throw std::invalid_argument("no attribute type: " + type);
}

Result<Map> MapFromJson(const Json& json) {
  Map map;
  for (const auto& [name, element] : json.items()) {
    auto value = ValueFromJson(element);
    if (!value.ok()) return value.status();
    map.insert_or_assign(name, *std::move(value));
  }
  return map;
}

Json ToJson(const AttributeValue& value) {
  auto [type, json] = std::visit(ToTyped{}, value.variant());
  return Json::object({{type, std::move(json)}});
}

Json ToJson(const Map& map) {
  Json object = Json::object();
  for (const auto& [name, value] : map) object[name] = ToJson(value);
  return object;
}

}  // namespace dolmen::differential
