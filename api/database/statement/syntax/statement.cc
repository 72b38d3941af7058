#include "database/statement/syntax/statement.h"

namespace dolmen::engine {

bool IsSetValue(const AttributeValue& value) {
  return value.type() == AttributeType::kSS || value.type() == AttributeType::kNS ||
         value.type() == AttributeType::kBS;
}

std::string MissingKeyEquality() {
  return std::string("Where").append(
      " clause does not contain a mandatory equality on all key attributes");
}

}  // namespace dolmen::engine
