// A statement of a batch or a transaction, which reads or writes one item.

#pragma once

#include <memory>
#include <optional>
#include <string>

#include "database/statement/check_statement.h"
#include "database/statement/lower/lower_write.h"
#include "database/statement/parameters.h"
#include "database/statement/syntax/statement.h"
#include "dolmen/result.h"
#include "dolmen/statement.h"
#include "engine/backend.h"

namespace dolmen::database {

// A statement that is parsed and lowered to a request for one item. Borrows its source. For one
// thread.
class StatementPart {
 public:
  explicit StatementPart(const StatementRequest& source DOLMEN_LIFETIME_BOUND)
      : source_(&source), parameters_(source.parameters) {}

  // Parses the statement.
  // - kValidation: an error of ParseStatement.
  Status Parse();
  // Encodes the parameters. REQUIRES: Parse has returned success.
  // - kValidation: an error of EncodeParameters.
  Status Encode() { return EncodeParameters(source_->parameter_error, &parameters_); }
  // Checks the structure. REQUIRES: Encode has returned success.
  // - kValidation: an error of CheckStructure.
  Status Check(const std::shared_ptr<internal::Backend>& backend) const {
    return CheckStructure(backend, *statement_, parameters_);
  }
  // Returns the parsed statement. REQUIRES: Parse has found a statement.
  const Statement& statement() const { return *statement_; }
  // Returns true if Parse has found a statement without a fault.
  bool is_sound() const { return statement_ != nullptr && statement_->fault.ok(); }

  // Returns an error that the statement has for every table. REQUIRES: Check has returned success.
  Status CheckForEveryTable() const;

  // Opens the table and lowers the statement.
  // - kResourceNotFound: the table does not exist.
  // - kValidation: `not_one_item`, if the statement is a SELECT that does not read one item of the
  //   table by its whole key and by nothing else.
  // - kValidation: an error of LowerWrite or of LowerRead.
  // REQUIRES: Check has returned success.
  Status Lower(const std::shared_ptr<internal::Backend>& backend, const char* not_one_item);
  bool is_lowered() const { return table_.has_value(); }

  // REQUIRES for the following methods: Lower has returned success.
  const TableRef& table() const { return *table_; }
  const Item& key() const { return key_; }
  const LoweredWrite& write() const { return write_; }
  LoweredWrite& write() { return write_; }

  // Reads the item of a SELECT, with its columns, into `*item`.
  Status Read(internal::Backend& backend, const RequestOptions& options,
              std::optional<StoredItem>* item, std::optional<ConsumedCapacity>* consumed) const;
  // Returns the columns of an item that was read with ProjectionOf(statement()).
  Result<StoredItem> WithColumns(StoredItem item) const;

  const StatementRequest& source() const { return *source_; }

 private:
  Status LowerSelect(const engine::TableSchema& schema, const char* not_one_item);

  const StatementRequest* source_;
  Parameters parameters_;
  std::shared_ptr<const Statement> statement_;
  std::optional<TableRef> table_;
  Item key_;
  LoweredWrite write_;
};

}  // namespace dolmen::database
