#include "engine/statement/syntax/statement.h"

#include <charconv>

namespace dolmen::engine {

bool IsSetValue(const AttributeValue& value) {
  return value.type() == AttributeType::kSS || value.type() == AttributeType::kNS ||
         value.type() == AttributeType::kBS;
}

std::string MissingKeyEquality() {
  return std::string("Where").append(
      " clause does not contain a mandatory equality on all key attributes");
}

std::string ParameterToken(std::uint32_t parameter) { return ":" + std::to_string(parameter); }

std::uint32_t ParameterNumber(std::string_view token) {
  std::uint32_t number = 0;
  std::from_chars(token.data() + 1, token.data() + token.size(), number);
  return number;
}

}  // namespace dolmen::engine
