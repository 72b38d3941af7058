#include "remote/hidden_items.h"

namespace dolmen::remote {

std::string VisibleText(const HiddenItems& hidden, internal::ExpressionWriter* expressions) {
  return "NOT (" + HiddenText(hidden, expressions) + ")";
}

std::string HiddenText(const HiddenItems& hidden, internal::ExpressionWriter* expressions) {
  const auto number = [&](const Number& value) {
    return expressions->ValueToken(AttributeView(AttributeType::kN, value.encoded()));
  };
  const std::string name = expressions->NameToken(hidden.attribute);
  const std::string type = expressions->ValueToken(AttributeView(AttributeType::kS, "N"));
  return "attribute_type(" + name + ", " + type + ") AND " + name +
         " >= " + number(hidden.times.from) + " AND " + name + " < " + number(hidden.times.until);
}

}  // namespace dolmen::remote
