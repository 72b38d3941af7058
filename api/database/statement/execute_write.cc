#include "database/statement/execute_write.h"

#include <memory>
#include <type_traits>
#include <utility>
#include <variant>

#include "database/statement/execute_select.h"
#include "engine/base/status_macros.h"
#include "engine/read/page_writer.h"
#include "engine/schema/live_table.h"

namespace dolmen::database {
namespace {

Result<WriteItemOutput> Send(internal::Backend& backend, const TableRef& table,
                             const PutItemInput& input) {
  return backend.PutItem(table, input);
}
Result<WriteItemOutput> Send(internal::Backend& backend, const TableRef& table,
                             const UpdateItemInput& input) {
  return backend.UpdateItem(table, input);
}
Result<WriteItemOutput> Send(internal::Backend& backend, const TableRef& table,
                             const DeleteItemInput& input) {
  return backend.DeleteItem(table, input);
}
Result<WriteItemOutput> Send(internal::Backend&, const TableRef&, const ConditionCheckInput&) {
  return ExistsOutsideTransaction();
}

}  // namespace

Status ExistsOutsideTransaction() {
  return Status::Validation("EXISTS can only be used in ExecuteTransaction write requests.");
}

Status ToStatementError(const Statement& statement, const Status& status) {
  const bool duplicate = statement.kind == Statement::Kind::kInsert &&
                         status.code() == StatusCode::kConditionalCheckFailed;
  return duplicate ? Status::DuplicateItem() : status;
}

Result<WriteItemOutput> WriteOneItem(internal::Backend& backend, const TableRef& table,
                                     const Statement& statement,
                                     bool return_item_on_condition_failure,
                                     const RequestOptions& options, LoweredWrite* write) {
  return std::visit(
      [&](auto& input) {
        input.return_item_on_condition_failure = return_item_on_condition_failure;
        input.options = options;
        if constexpr (requires { input.return_values; }) {
          input.return_values = statement.returning;
        }
        return Send(backend, table, input);
      },
      *write);
}

Status ExecuteWrite(const std::shared_ptr<internal::Backend>& backend, const Statement& statement,
                    const Parameters& parameters, const ExecuteStatementInput& input,
                    ExecuteStatementOutput* output) {
  if (!input.next_token.empty()) {
    return Status::Validation("NextToken can only be used with a SELECT statement.");
  }
  DOLMEN_ASSIGN_OR_RETURN(const TableRef& table, OpenStatementTable(backend, statement));
  const engine::TableSchema* const schema = engine::LiveTableOf(table).schema();
  if (schema == nullptr) return engine::NoSuchTable();
  DOLMEN_ASSIGN_OR_RETURN(LoweredWrite write, LowerWrite(statement, *schema, parameters));
  Result<WriteItemOutput> written = WriteOneItem(
      *backend, table, statement, input.return_item_on_condition_failure, input.options, &write);
  if (!written.ok()) return ToStatementError(statement, written.status());
  output->next_token.clear();
  internal::PageWriter writer(&output->page);
  writer.Clear();
  if (written->attributes) writer.Add(written->attributes->view().bytes());
  const auto count = static_cast<std::uint32_t>(output->page.size());
  writer.SetCounts(count, count, 0);
  if (written->consumed_capacity) {
    writer.SetConsumedCapacity(*std::move(written->consumed_capacity));
  }
  return {};
}

}  // namespace dolmen::database
