#include "engine/statement/parameters.h"

#include <string>

#include "dolmen/internal/status_macros.h"
#include "engine/value/bytes.h"
#include "engine/value/codec.h"
#include "engine/value/copy.h"
#include "engine/value/utf8.h"

namespace dolmen::engine {
Status Parameters::Check(const Statement& statement) const {
  if (values_.size() != statement.parameter_count) {
    return Status::Validation("Number of parameters in request and statement don't match.");
  }
  for (const AttributeValue& value : values_) {
    const auto* const text = value.get_if<std::string>();
    if (text != nullptr && IsUtf8(*text)) continue;
    std::string bytes;
    DOLMEN_RETURN_IF_ERROR(EncodeValue(value, &bytes));
  }
  for (const SetParameter& set : statement.set_parameters) {
    if (!IsSetValue(values_[set.parameter])) return Status::Validation(set.message);
  }
  return {};
}

AttributeType Parameters::TypeOf(const ExpressionSyntax& tree, const ValueSyntax& value) const {
  return value.literal ? value.type : values_[ParameterNumber(tree.Text(value.text))].type();
}

AttributeValue Parameters::ValueOf(const ExpressionSyntax& tree, const ValueSyntax& value) const {
  const std::string_view text = tree.Text(value.text);
  return value.literal ? CopyChecked(AttributeView(value.type, text))
                       : values_[ParameterNumber(text)];
}

void Parameters::Collect(const ConditionSyntax& tree, Values* values) const {
  values->reserve(values_.size());
  Collect(tree, tree.nodes[tree.root], values);
}

void Parameters::Collect(const ConditionSyntax& tree, const ConditionNode& node,
                         Values* values) const {
  if (node.kind == ConditionNode::Kind::kValue) Add(tree, node.value, values);
  for (const std::uint16_t child : tree.Children(node)) Collect(tree, tree.nodes[child], values);
}

void Parameters::Collect(const UpdateSyntax& tree, Values* values) const {
  for (const UpdateNode& node : tree.nodes) {
    if (node.kind == UpdateNode::Kind::kValue) Add(tree, node.value, values);
  }
}

void Parameters::Add(const ExpressionSyntax& tree, const ValueSyntax& value, Values* values) const {
  if (value.literal) return;
  const std::string_view token = tree.Text(value.text);
  values->try_emplace(std::string(token), values_[ParameterNumber(token)]);
}

Status Parameters::Encode(std::string* out) const {
  for (const AttributeValue& value : values_) {
    out->push_back(static_cast<char>(value.type()));
    std::string payload;
    DOLMEN_RETURN_IF_ERROR(EncodeValue(value, &payload));
    AppendBlock(payload, out);
  }
  return {};
}

}  // namespace dolmen::engine
