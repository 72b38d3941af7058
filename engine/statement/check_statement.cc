#include "engine/statement/check_statement.h"

#include "dolmen/internal/status_macros.h"
#include "engine/expression/condition.h"
#include "engine/expression/placeholders.h"
#include "engine/expression/update.h"
#include "engine/statement/columns.h"

namespace dolmen::engine {
namespace {

// Encodes the parameters that a tree uses, and calls `bind` with them.
template <typename Syntax, typename Bind>
Status CheckTree(const Syntax& tree, ExpressionKind kind, const Parameters& parameters, Bind bind) {
  const Names no_names;
  Values values;
  parameters.Collect(tree, &values);
  Placeholders placeholders(no_names, values);
  DOLMEN_RETURN_IF_ERROR(placeholders.Encode({{kind, true}}));
  return bind(placeholders);
}

}  // namespace

Status CheckForEveryTable(const Statement& statement, const Parameters& parameters) {
  if (statement.column_attributes != nullptr) {
    DOLMEN_RETURN_IF_ERROR(Columns().Bind(statement));
  }
  if (statement.where != nullptr) {
    constexpr auto kKind = ExpressionKind::kFilter;
    DOLMEN_RETURN_IF_ERROR(
        CheckTree(*statement.where, kKind, parameters, [&](Placeholders& placeholders) {
          return BindCondition(*statement.where, kKind, placeholders).status();
        }));
  }
  if (statement.update != nullptr) {
    DOLMEN_RETURN_IF_ERROR(CheckTree(*statement.update, ExpressionKind::kUpdate, parameters,
                                     [&](Placeholders& placeholders) {
                                       return BindUpdate(*statement.update, placeholders).status();
                                     }));
  }
  return {};
}

bool DependsOnTable(const Status& failure) {
  return failure.code() == StatusCode::kValidation ||
         failure.code() == StatusCode::kResourceNotFound;
}

Status FirstError(const Statement& statement, const Parameters& parameters, const Status& failure) {
  if (!DependsOnTable(failure)) return failure;
  const Status first = CheckForEveryTable(statement, parameters);
  return first.ok() ? failure : first;
}

}  // namespace dolmen::engine
