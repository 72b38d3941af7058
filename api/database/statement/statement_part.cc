#include "database/statement/statement_part.h"

#include <memory>
#include <utility>

#include "database/statement/check_statement.h"
#include "database/statement/columns.h"
#include "database/statement/execute_select.h"
#include "database/statement/lower/lower_read.h"
#include "database/statement/syntax/statement_parser.h"
#include "engine/base/status_macros.h"
#include "engine/schema/live_table.h"

namespace dolmen::database {

Status StatementPart::Parse() {
  DOLMEN_ASSIGN_OR_RETURN(statement_, GetStatement(source_->statement, /*additions=*/false));
  return {};
}

Status StatementPart::Lower(const std::shared_ptr<internal::Backend>& backend,
                            const char* not_one_item) {
  DOLMEN_ASSIGN_OR_RETURN(TableRef table, OpenStatementTable(backend, *statement_));
  const engine::TableSchema* const schema = engine::LiveTableOf(table).schema();
  if (schema == nullptr) return engine::NoSuchTable();
  if (statement_->reads()) {
    DOLMEN_RETURN_IF_ERROR(LowerSelect(*schema, not_one_item));
  } else {
    DOLMEN_ASSIGN_OR_RETURN(write_, LowerWrite(*statement_, *schema, parameters_));
    key_ = KeyOfWrite(write_, schema->keys);
  }
  table_.emplace(std::move(table));
  return {};
}

Status StatementPart::LowerSelect(const engine::TableSchema& schema, const char* not_one_item) {
  DOLMEN_ASSIGN_OR_RETURN(const engine::IndexSchema* const index,
                          FindReadIndex(*statement_, schema, source_->consistent_read));
  if (index != nullptr) return Status::Validation(not_one_item);
  DOLMEN_ASSIGN_OR_RETURN(LoweredRead read,
                          LowerRead(*statement_, schema, parameters_, source_->consistent_read));
  if (!read.key || read.shape->filter != nullptr) return Status::Validation(not_one_item);
  key_ = *std::move(read.key);
  if (statement_->column_attributes == nullptr) return {};
  return Columns().Bind(*statement_);
}

Status StatementPart::CheckForEveryTable() const {
  return database::CheckForEveryTable(*statement_, parameters_);
}

Result<StoredItem> StatementPart::WithColumns(StoredItem item) const {
  if (statement_->column_attributes == nullptr) return item;
  Columns columns;
  DOLMEN_RETURN_IF_ERROR(columns.Bind(*statement_));
  std::string bytes;
  DOLMEN_RETURN_IF_ERROR(columns.Apply(item.view(), &bytes));
  return StoredItem::FromBytes(std::move(bytes));
}

Status StatementPart::Read(internal::Backend& backend, const RequestOptions& options,
                           std::optional<StoredItem>* item,
                           std::optional<ConsumedCapacity>* consumed) const {
  GetItemOutput got;
  DOLMEN_RETURN_IF_ERROR(backend.GetItem(*table_,
                                         {.key = key_,
                                          .projection = ProjectionOf(*statement_),
                                          .consistent_read = source_->consistent_read,
                                          .options = options},
                                         &got));
  *consumed = std::move(got.consumed_capacity);
  if (!got.item) return {};
  DOLMEN_ASSIGN_OR_RETURN(StoredItem found, WithColumns(*std::move(got.item)));
  item->emplace(std::move(found));
  return {};
}

}  // namespace dolmen::database
