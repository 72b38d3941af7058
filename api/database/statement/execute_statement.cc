#include "database/statement/execute_statement.h"

#include <memory>

#include "database/statement/check_statement.h"
#include "database/statement/execute_select.h"
#include "database/statement/execute_write.h"
#include "database/statement/explain.h"
#include "database/statement/parameters.h"
#include "database/statement/syntax/statement_parser.h"
#include "engine/base/status_macros.h"
#include "engine/read/page_writer.h"
#include "engine/value/violation.h"

namespace dolmen::database {
namespace {

Status CheckLimit(const ExecuteStatementInput& input) {
  if (input.limit != 0u) return {};
  return engine::DetectedOne(engine::Violation("0", "limit", engine::AtLeast("value", 1)));
}

Status Execute(const std::shared_ptr<internal::Backend>& backend,
               const ExecuteStatementInput& input, ExecuteStatementOutput* output) {
  DOLMEN_RETURN_IF_ERROR(CheckLimit(input));
  DOLMEN_ASSIGN_OR_RETURN(const auto& statement, GetStatement(input.statement, input.additions));
  Parameters parameters(input.parameters);
  DOLMEN_RETURN_IF_ERROR(EncodeParameters(input.parameter_error, &parameters));
  DOLMEN_RETURN_IF_ERROR(CheckStructure(backend, *statement, parameters));
  if (statement->kind == Statement::Kind::kExists) return ExistsOutsideTransaction();
  const auto execute = statement->explains  ? Explain
                       : statement->reads() ? ExecuteSelect
                                            : ExecuteWrite;
  Status executed = execute(backend, *statement, parameters, input, output);
  return executed.ok() ? executed : FirstError(*statement, parameters, executed);
}

}  // namespace

Status ExecuteStatement(const std::shared_ptr<internal::Backend>& backend,
                        const ExecuteStatementInput& input, ExecuteStatementOutput* output) {
  Status executed = Execute(backend, input, output);
  if (!executed.ok()) {
    internal::PageWriter(&output->page).Clear();
    output->next_token.clear();
  }
  return executed;
}

}  // namespace dolmen::database
