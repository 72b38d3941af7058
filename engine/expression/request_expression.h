// Expressions of a request, from their texts or built trees to their bound forms.

#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "dolmen/expression.h"
#include "dolmen/internal/lifetime.h"
#include "dolmen/operations.h"
#include "dolmen/result.h"
#include "engine/base/status_macros.h"
#include "engine/expression/condition.h"
#include "engine/expression/key_condition.h"
#include "engine/expression/placeholders.h"
#include "engine/expression/projection.h"
#include "engine/expression/syntax/syntax_cache.h"
#include "engine/expression/update.h"

namespace dolmen::engine {

// An expression of a request. It is empty until it is bound, and stays empty if the request does
// not contain the expression. Shares ownership of the syntax tree. The bound form borrows from
// the tree, from the request and from the Placeholders of the request. Not thread-safe.
template <ExpressionKind kKind, typename Syntax, typename Bound>
class RequestExpression {
 public:
  using Source = Expression<kKind, Syntax>;

  // Not defaulted: an initialization with {} would then first clear the whole object, which holds the
  // large bound form.
  RequestExpression() {}

  // Parses the expression. Does nothing if the request does not contain the expression.
  // Errors: those of GetSyntaxTree (syntax_cache.h).
  Status Parse(const Source& source) {
    SyntaxTree<Syntax> tree = GetSyntaxTree(source);
    if (!tree.ok()) return tree.status();
    tree_ = *std::move(tree);
    return {};
  }

  // Binds the parsed expression. Does nothing if the request does not contain the expression.
  // Errors: those of the Bind function for the kind of expression.
  Status Bind(Placeholders& placeholders) {
    if (tree_ == nullptr) return {};
    Status bound = BindTree(placeholders);
    if (!bound.ok()) bound_.reset();
    return bound;
  }

  // Returns the tree, or null if the request does not contain the expression.
  const Syntax* tree() const DOLMEN_LIFETIME_BOUND { return tree_.get(); }

  // Returns true if the expression is bound. Operators * and -> require a bound expression.
  explicit operator bool() const { return bound_.has_value(); }
  const Bound& operator*() const DOLMEN_LIFETIME_BOUND { return *bound_; }
  const Bound* operator->() const DOLMEN_LIFETIME_BOUND { return &*bound_; }

 private:
  // Binds conditions and updates in place, because moving them would copy all their parts.
  Status BindTree(Placeholders& placeholders) {
    if constexpr (kKind == ExpressionKind::kUpdate) {
      return BindUpdate(*tree_, placeholders, &bound_.emplace());
    } else if constexpr (kKind == ExpressionKind::kProjection) {
      return Keep(BindProjection(*tree_, placeholders));
    } else if constexpr (kKind == ExpressionKind::kKeyCondition) {
      return Keep(BindKeyCondition(*tree_, placeholders));
    } else {
      return BindCondition(*tree_, kKind, placeholders, &bound_.emplace());
    }
  }

  Status Keep(Result<Bound> bound) {
    if (bound.ok()) bound_.emplace(*std::move(bound));
    return bound.status();
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

// A parameter of a request, and the object that receives the expression of the parameter. Borrows
// both.
template <ExpressionKind kKind, typename Syntax, typename Bound>
struct ExpressionSlot {
  const Expression<kKind, Syntax>& source;
  RequestExpression<kKind, Syntax, Bound>* target;
};
template <ExpressionKind kKind, typename Syntax, typename Bound>
ExpressionSlot(const Expression<kKind, Syntax>&, RequestExpression<kKind, Syntax, Bound>*)
    -> ExpressionSlot<kKind, Syntax, Bound>;

// Encodes the values of a request, which `placeholders` has borrowed, and parses all its expressions. `slots` are
// all parameters that the operation allows, even those that the request does not contain. Errors are reported in the
// order of `slots`.
// - kValidation, with DynamoDB's message: an error of Placeholders::Encode or Parse.
template <ExpressionKind... kKinds, typename... Syntaxes, typename... Bounds>
Status ParseExpressions(Placeholders& placeholders,
                        const ExpressionSlot<kKinds, Syntaxes, Bounds>&... slots) {
  DOLMEN_RETURN_IF_ERROR(placeholders.Encode({{kKinds, slots.source.given()}...}));
  (placeholders.SetParameters(slots.source.parameters()), ...);
  Status status;
  ((status = slots.target->Parse(slots.source), status.ok()) && ...);
  return status;
}

// Binds all parsed expressions of a request, then checks that they use every name and value.
// - kValidation, with DynamoDB's message: an error of Bind or CheckAllUsed.
template <ExpressionKind... kKinds, typename... Syntaxes, typename... Bounds>
Status BindParsed(Placeholders& placeholders,
                  const ExpressionSlot<kKinds, Syntaxes, Bounds>&... slots) {
  Status status;
  ((status = slots.target->Bind(placeholders), status.ok()) && ...);
  return status.ok() ? placeholders.CheckAllUsed() : status;
}

// Parses all expressions of a request, then binds them. All expressions are parsed before any is bound, because
// DynamoDB reports errors in the texts before errors in names and values. `*placeholders` receives the names and
// values. `*placeholders` and the request must not move, and must outlive the expressions.
// - kValidation, with DynamoDB's message: an error of ParseExpressions or BindParsed.
template <ExpressionKind... kKinds, typename... Syntaxes, typename... Bounds>
Status BindExpressions(const Names& names, const Values& values,
                       std::optional<Placeholders>* placeholders,
                       ExpressionSlot<kKinds, Syntaxes, Bounds>... slots) {
  if (names.empty() && values.empty() && !(slots.source.given() || ...)) return {};
  Placeholders& encoded = placeholders->emplace(names, values);
  DOLMEN_RETURN_IF_ERROR(ParseExpressions(encoded, slots...));
  return BindParsed(encoded, slots...);
}

}  // namespace dolmen::engine
