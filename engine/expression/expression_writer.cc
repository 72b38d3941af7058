#include "engine/expression/expression_writer.h"

#include <algorithm>
#include <utility>

#include "engine/base/status_macros.h"
#include "engine/expression/syntax/expression_text.h"
#include "engine/expression/syntax/syntax.h"
#include "engine/expression/syntax/syntax_cache.h"
#include "engine/value/stored_form.h"

namespace dolmen::internal {

// The tokens of a writer. Borrows the writer.
class ExpressionWriter::Tokens final : public engine::ExpressionTokens {
 public:
  explicit Tokens(ExpressionWriter* writer) : writer_(*writer) {}

  std::string Name(std::string_view name) override { return writer_.NameToken(name); }
  std::string Literal(const AttributeView& value) override { return writer_.ValueToken(value); }

 private:
  ExpressionWriter& writer_;
};

namespace {

// Returns the tree of an expression that can be written as a text.
template <ExpressionKind kKind, typename Syntax>
SyntaxTree<Syntax> WritableTree(const Expression<kKind, Syntax>& expression) {
  SyntaxTree<Syntax> tree = engine::GetSyntaxTree(expression);
  if (!tree.ok() || (*tree)->dialect != engine::Dialect::kLegacy) return tree;
  return Status::Validation(
      "A legacy parameter cannot be sent to a service; use an expression in its place");
}

// Returns the name of a step of the path.
std::string_view NameOf(const engine::ExpressionSyntax& syntax, const engine::PathStepSyntax& step,
                        const Names& names) {
  const std::string_view text = syntax.Text(step.text);
  if (step.kind != engine::PathStepSyntax::Kind::kPlaceholder) return text;
  const auto found = names.find(text);
  return found == names.end() ? text : std::string_view(found->second);
}

}  // namespace

Status ExpressionWriter::Begin(const Names& names, const Values& values) {
  names_ = names;
  values_ = values;
  std::string stored;
  return AppendStored(values, &stored);
}

template <ExpressionKind kKind, typename Syntax>
Result<std::string> ExpressionWriter::Text(const Expression<kKind, Syntax>& expression) {
  if (const std::string* const text = expression.text()) return *text;
  const SyntaxTree<Syntax> tree = WritableTree(expression);
  if (!tree.ok()) return tree.status();
  Tokens tokens(this);
  return engine::ExpressionText(**tree, tokens);
}

template <ExpressionKind kKind, typename Syntax>
Result<std::string> ExpressionWriter::And(const Expression<kKind, Syntax>& expression,
                                          std::string_view also) {
  if (!expression.given()) return std::string(also);
  // The text of the tree has no parentheses around the whole. DynamoDB rejects redundant ones.
  const SyntaxTree<Syntax> tree = WritableTree(expression);
  if (!tree.ok()) return tree.status();
  Tokens tokens(this);
  std::string text = "(" + engine::ExpressionText(**tree, tokens) + ") AND (";
  return text.append(also).append(")");
}

Result<std::string> ExpressionWriter::Extended(const ProjectionExpression& expression,
                                               std::span<const std::string> also,
                                               std::vector<std::string>* added) {
  DOLMEN_ASSIGN_OR_RETURN(std::string text, Text(expression));
  const auto tree = WritableTree(expression);
  if (!tree.ok()) return tree.status();
  const auto selects = [&](const std::string& attribute) {
    return std::ranges::any_of((*tree)->paths, [&](engine::PathSyntax path) {
      return NameOf(**tree, (*tree)->Steps(path)[0], names_) == attribute;
    });
  };
  for (const std::string& attribute : also) {
    if (selects(attribute)) continue;
    if (std::ranges::find(*added, attribute) != added->end()) continue;
    text.append(", ").append(NameToken(attribute));
    added->push_back(attribute);
  }
  return text;
}

std::string ExpressionWriter::NameToken(std::string_view name) {
  if (const auto found = tokens_of_names_.find(name); found != tokens_of_names_.end()) {
    return found->second;
  }
  std::string token;
  do {
    token = "#n" + std::to_string(next_name_++);
  } while (names_.contains(token));
  names_.emplace(token, std::string(name));
  tokens_of_names_.emplace(std::string(name), token);
  return token;
}

std::string ExpressionWriter::ValueToken(const AttributeView& value) {
  std::string token;
  do {
    token = ":v" + std::to_string(next_value_++);
  } while (values_.contains(token));
  values_.emplace(token, value.Copy().value_or(Null{}));
  return token;
}

Result<std::string> ExpressionWriter::ValueToken(const AttributeValue& value) {
  std::string payload;
  DOLMEN_RETURN_IF_ERROR(AppendStored(value, &payload));
  return ValueToken(AttributeView(value.type(), payload));
}

template Result<std::string> ExpressionWriter::Text(const ConditionExpression&);
template Result<std::string> ExpressionWriter::Text(const FilterExpression&);
template Result<std::string> ExpressionWriter::Text(const KeyConditionExpression&);
template Result<std::string> ExpressionWriter::Text(const ProjectionExpression&);
template Result<std::string> ExpressionWriter::Text(const UpdateExpression&);
template Result<std::string> ExpressionWriter::And(const ConditionExpression&, std::string_view);
template Result<std::string> ExpressionWriter::And(const FilterExpression&, std::string_view);

}  // namespace dolmen::internal
