// PartiQL statements, executed page by page, and the columns of their results.

#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dolmen/database.h"
#include "dolmen/statement.h"

namespace dolmen::command {

// The read and write units that a statement consumed.
struct StatementCost {
  double units = 0;
  // The units of the table and of each index, by their names.
  std::map<std::string, double> by_name = {};
};

// The pages of a statement's result. A statement that writes has one page.
class StatementPages {
 public:
  // `statement` is one statement, with or without a semicolon at its end.
  StatementPages(const Database& database, std::string statement)
      : database_(database), input_{.statement = std::move(statement), .additions = true} {
    input_.options.return_consumed_capacity = ReturnConsumedCapacity::kIndexes;
  }

  // Executes the statement up to the end of its next page.
  // - The errors of Database::ExecuteStatement. The message begins with the name of the error.
  // REQUIRES: has_more()
  Status Read();

  // Returns the items of the last page that was read. Valid until the next call of Read().
  const QueryOutput& page() const { return output_.page; }

  // Returns true before the first page, and if a further page may exist.
  bool has_more() const { return has_more_; }

  // The sum over the pages that were read.
  const StatementCost& cost() const { return cost_; }

 private:
  const Database database_;
  ExecuteStatementInput input_;
  ExecuteStatementOutput output_;
  bool has_more_ = true;
  StatementCost cost_;
};

// Returns the names that a SELECT lists, as its result has them. A statement that lists no names,
// such as SELECT *, has the key attributes of its table and index. Returns nothing if the result has
// no key attributes, or if the table does not exist.
std::vector<std::string> StatementColumns(const Database& database, std::string_view statement);

}  // namespace dolmen::command
