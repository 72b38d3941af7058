#include "dolmen/expression.h"

#include "engine/expression/syntax/syntax_cache.h"

namespace dolmen {

std::string_view ExpressionKindName(ExpressionKind kind) {
  switch (kind) {
    case ExpressionKind::kUpdate:
      return "UpdateExpression";
    case ExpressionKind::kCondition:
      return "ConditionExpression";
    case ExpressionKind::kFilter:
      return "FilterExpression";
    case ExpressionKind::kKeyCondition:
      return "KeyConditionExpression";
    case ExpressionKind::kProjection:
      return "ProjectionExpression";
  }
  return "";
}

template <ExpressionKind kKind, typename SyntaxType>
Result<Expression<kKind, SyntaxType>> Expression<kKind, SyntaxType>::Prepare(
    std::string_view text) {
  SyntaxTree<Syntax> tree = engine::GetSyntaxTree(Expression(text));
  if (!tree.ok()) return tree.status();
  return Expression(std::move(tree));
}

template class Expression<ExpressionKind::kCondition, engine::ConditionSyntax>;
template class Expression<ExpressionKind::kFilter, engine::ConditionSyntax>;
template class Expression<ExpressionKind::kKeyCondition, engine::ConditionSyntax>;
template class Expression<ExpressionKind::kProjection, engine::ProjectionSyntax>;
template class Expression<ExpressionKind::kUpdate, engine::UpdateSyntax>;

}  // namespace dolmen
