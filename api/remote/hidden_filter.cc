#include "remote/hidden_filter.h"

namespace dolmen::remote {

std::string VisibleText(const internal::HiddenItems& hidden,
                        internal::ExpressionWriter* expressions) {
  const auto number = [&](const Number& value) {
    return expressions->ValueToken(AttributeView(AttributeType::kN, value.encoded()));
  };
  const std::string name = expressions->NameToken(hidden.attribute);
  const std::string type = expressions->ValueToken(AttributeView(AttributeType::kS, "N"));
  return "NOT attribute_type(" + name + ", " + type + ") OR " + name + " < " + number(hidden.from) +
         " OR " + name + " >= " + number(hidden.until);
}

}  // namespace dolmen::remote
