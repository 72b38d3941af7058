// A request's expressions, from how they were given to what they do.

#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "dolmen/expression.h"
#include "dolmen/lifetime.h"
#include "dolmen/operations.h"
#include "dolmen/status.h"
#include "engine/expression/condition.h"
#include "engine/expression/key_condition.h"
#include "engine/expression/placeholders.h"
#include "engine/expression/projection.h"
#include "engine/expression/syntax/syntax_cache.h"
#include "engine/expression/update.h"

namespace dolmen::engine {

// One of a request's expressions.  Empty until it is bound, and if the request does not have it.
// Keeps the tree; what is bound borrows from the request and its Placeholders, too.
template <ExpressionKind kKind, typename Syntax, typename Bound>
class RequestExpression {
 public:
  using Source = Expression<kKind, Syntax>;

  Status Parse(const Source& source) {
    SyntaxTree<Syntax> tree = TreeOf(source);
    if (!tree.ok()) return tree.status();
    tree_ = *std::move(tree);
    return {};
  }

  Status Bind(Placeholders& placeholders) {
    if (tree_ == nullptr) return {};
    Result<Bound> bound = BindTree(placeholders);
    if (!bound.ok()) return bound.status();
    bound_.emplace(*std::move(bound));
    return {};
  }

  // Null if the request does not have it.
  const Syntax* tree() const DOLMEN_LIFETIME_BOUND { return tree_.get(); }

  explicit operator bool() const { return bound_.has_value(); }
  const Bound& operator*() const DOLMEN_LIFETIME_BOUND { return *bound_; }
  const Bound* operator->() const DOLMEN_LIFETIME_BOUND { return &*bound_; }

 private:
  Result<Bound> BindTree(Placeholders& placeholders) {
    if constexpr (kKind == ExpressionKind::kUpdate) {
      return BindUpdate(*tree_, placeholders);
    } else if constexpr (kKind == ExpressionKind::kProjection) {
      return BindProjection(*tree_, placeholders);
    } else if constexpr (kKind == ExpressionKind::kKeyCondition) {
      return BindKeyCondition(*tree_, placeholders);
    } else {
      return BindCondition(*tree_, kKind, placeholders);
    }
  }

  std::shared_ptr<const Syntax> tree_;
  std::optional<Bound> bound_;
};

using RequestCondition = RequestExpression<ExpressionKind::kCondition, ConditionSyntax, Condition>;
using RequestFilter = RequestExpression<ExpressionKind::kFilter, ConditionSyntax, Condition>;
using RequestKeyCondition =
    RequestExpression<ExpressionKind::kKeyCondition, ConditionSyntax, KeyConditionTerms>;
using RequestProjection =
    RequestExpression<ExpressionKind::kProjection, ProjectionSyntax, Projection>;
using RequestUpdate = RequestExpression<ExpressionKind::kUpdate, UpdateSyntax, Update>;

// Where one of a request's parameters goes.
template <ExpressionKind kKind, typename Syntax, typename Bound>
struct ExpressionSlot {
  const Expression<kKind, Syntax>& source;
  RequestExpression<kKind, Syntax, Bound>* target;
};
template <ExpressionKind kKind, typename Syntax, typename Bound>
ExpressionSlot(const Expression<kKind, Syntax>&, RequestExpression<kKind, Syntax, Bound>*)
    -> ExpressionSlot<kKind, Syntax, Bound>;

// Does all that is done with the expressions of a request: first parses all of them and then binds
// all of them, so that what is wrong with a text is said before what is wrong with names and
// values, and at last asks that every name and value was used.  `slots` are the parameters that the
// operation knows, whether given or not, in the order in which their errors are reported.
// `placeholders` is filled and must stay where it is, as must the request.
// kValidation, with DynamoDB's message.
template <ExpressionKind... kKinds, typename... Syntaxes, typename... Bounds>
Status BindExpressions(const Names& names, const Values& values,
                       std::optional<Placeholders>* placeholders,
                       ExpressionSlot<kKinds, Syntaxes, Bounds>... slots) {
  if (names.empty() && values.empty() && !(slots.source.given() || ...)) return {};
  Result<Placeholders> made =
      Placeholders::Make(names, values, {{kKinds, slots.source.given()}...});
  if (!made.ok()) return made.status();
  placeholders->emplace(*std::move(made));
  Status status;
  ((status = slots.target->Parse(slots.source), status.ok()) && ...) &&
      ((status = slots.target->Bind(**placeholders), status.ok()) && ...);
  return status.ok() ? (*placeholders)->CheckAllUsed() : status;
}

}  // namespace dolmen::engine
