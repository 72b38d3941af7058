#include "database/statement/check_statement.h"

#include "database/statement/columns.h"
#include "engine/base/status_macros.h"
#include "engine/expression/condition.h"
#include "engine/expression/placeholders.h"
#include "engine/expression/update.h"

namespace dolmen::database {

Status CheckForEveryTable(const Statement& statement, const Parameters& parameters) {
  if (statement.column_attributes != nullptr) {
    DOLMEN_RETURN_IF_ERROR(Columns().Bind(statement));
  }
  const Names no_names;
  const Values no_values;
  engine::Placeholders placeholders(no_names, no_values);
  placeholders.SetParameters(parameters.encoded());
  if (statement.where != nullptr) {
    DOLMEN_RETURN_IF_ERROR(
        engine::BindCondition(*statement.where, ExpressionKind::kFilter, placeholders).status());
  }
  if (statement.update == nullptr) return {};
  return engine::BindUpdate(*statement.update, placeholders).status();
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

}  // namespace dolmen::database
