#include "database/statement/check_statement.h"

#include <memory>

#include "database/statement/columns.h"
#include "database/statement/execute_select.h"
#include "database/statement/lower/lower_read.h"
#include "engine/base/status_macros.h"
#include "engine/expression/condition.h"
#include "engine/expression/placeholders.h"
#include "engine/expression/update.h"
#include "engine/schema/live_table.h"

namespace dolmen::database {
namespace {

// Returns an error if the statement reads an index that statements cannot read.
Status CheckIndex(const std::shared_ptr<internal::Backend>& backend, const Statement& statement) {
  if (!statement.reads() || statement.index.empty()) return {};
  const Result<TableRef> table = OpenStatementTable(backend, statement);
  const engine::TableSchema* const schema =
      table.ok() ? engine::LiveTableOf(*table).schema() : nullptr;
  const engine::IndexSchema* const index =
      schema != nullptr ? schema->FindIndex(statement.index) : nullptr;
  return index != nullptr ? CheckReadable(*index) : Status();
}

}  // namespace

Status EncodeParameters(const Status& error, Parameters* parameters) {
  return error.ok() ? parameters->Encode() : error;
}

Status CheckStructure(const std::shared_ptr<internal::Backend>& backend, const Statement& statement,
                      const Parameters& parameters) {
  if (statement.fault.ok()) return parameters.Check(statement);
  DOLMEN_RETURN_IF_ERROR(CheckIndex(backend, statement));
  return statement.fault;
}

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
