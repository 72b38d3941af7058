#include "database/statement/parameters.h"

#include <string_view>

#include "engine/base/status_macros.h"
#include "engine/value/copy.h"

namespace dolmen::database {

Status Parameters::Encode() {
  for (const AttributeValue& value : values_) {
    DOLMEN_RETURN_IF_ERROR(encoded_.Add(value));
  }
  return {};
}

Status Parameters::Check(const Statement& statement) const {
  if (values_.size() != statement.parameter_count) {
    return Status::Validation("Number of parameters in request and statement don't match.");
  }
  for (const SetParameter& set : statement.set_parameters) {
    if (!IsSetValue(values_[set.parameter])) return Status::Validation(set.message);
  }
  return {};
}

AttributeType Parameters::TypeOf(const engine::ExpressionSyntax& tree,
                                 const engine::ValueSyntax& value) const {
  return value.literal ? value.type
                       : values_[engine::ParameterNumber(tree.Text(value.text))].type();
}

AttributeValue Parameters::ValueOf(const engine::ExpressionSyntax& tree,
                                   const engine::ValueSyntax& value) const {
  const std::string_view text = tree.Text(value.text);
  return value.literal ? engine::CopyChecked(AttributeView(value.type, text))
                       : values_[engine::ParameterNumber(text)];
}

}  // namespace dolmen::database
