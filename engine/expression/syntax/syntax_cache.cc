#include "engine/expression/syntax/syntax_cache.h"

#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "engine/base/status_macros.h"
#include "engine/expression/syntax/parser.h"
#include "engine/expression/syntax/text_cache.h"

namespace dolmen::engine {
namespace {

template <typename Syntax>
Result<Syntax> Parse(std::string_view text, [[maybe_unused]] ExpressionKind kind) {
  if constexpr (std::is_same_v<Syntax, UpdateSyntax>) {
    return ParseUpdate(text);
  } else if constexpr (std::is_same_v<Syntax, ProjectionSyntax>) {
    return ParseProjection(text);
  } else {
    return ParseCondition(text, kind);
  }
}

template <typename Syntax>
SyntaxTree<Syntax> ParseOrFind(const std::string& text, ExpressionKind kind) {
  return FindOrParse<Syntax>(text, [&] { return Parse<Syntax>(text, kind); });
}

}  // namespace

template <ExpressionKind kKind, typename Syntax>
SyntaxTree<Syntax> GetSyntaxTree(const Expression<kKind, Syntax>& expression) {
  if (const std::string* const text = expression.text()) return ParseOrFind<Syntax>(*text, kKind);
  const SyntaxTree<Syntax>* const tree = expression.tree();
  if (tree == nullptr) return std::shared_ptr<const Syntax>();
  if (tree->ok() && **tree != nullptr) return *tree;
  // The builder does not know the parameter that receives the expression, so this function adds the
  // name of the parameter to the builder's error. An expression that was moved from is an error. If
  // such a condition counted as absent, a write would silently lose its condition.
  const std::string message =
      tree->ok() ? "The expression was moved from; create it again" : tree->status().message();
  return Status::Validation(
      std::string("Invalid ").append(ExpressionKindName(kKind)).append(": ").append(message));
}

template SyntaxTree<ConditionSyntax> GetSyntaxTree(const ConditionExpression&);
template SyntaxTree<ConditionSyntax> GetSyntaxTree(const FilterExpression&);
template SyntaxTree<ConditionSyntax> GetSyntaxTree(const KeyConditionExpression&);
template SyntaxTree<ProjectionSyntax> GetSyntaxTree(const ProjectionExpression&);
template SyntaxTree<UpdateSyntax> GetSyntaxTree(const UpdateExpression&);

}  // namespace dolmen::engine
