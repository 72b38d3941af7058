// The columns of a SELECT with nested paths. PartiQL returns the value of each path at the top of
// the result, under the last name of the path. A ProjectionExpression keeps the maps and lists
// around it.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "database/statement/syntax/statement.h"
#include "dolmen/item_view.h"
#include "dolmen/result.h"
#include "engine/expression/placeholders.h"
#include "engine/expression/projection.h"

namespace dolmen::database {

// Returns the projection that reads the attributes of all columns; an empty one for `*`.
ProjectionExpression ProjectionOf(const Statement& statement);

// The bound columns of a statement. Borrows the statement, which must outlive it. Not movable. For
// one thread.
class Columns {
 public:
  // Binds the columns of the statement.
  // - kValidation, with DynamoDB's message: a path is a part of another path.
  // REQUIRES: the statement has columns.
  Status Bind(const Statement& statement);

  // Appends the columns of an item to `*out`, as an item in the stored form.
  // - kCorruption: the item is damaged.
  Status Apply(const ItemView& item, std::string* out) const;

 private:
  const Names no_names_;
  const Values no_values_;
  engine::Placeholders placeholders_{no_names_, no_values_};
  std::optional<engine::Projection> paths_;
  const std::vector<std::string>* names_ = nullptr;
  std::vector<std::size_t> sorted_;  // the columns in the order of their names
};

}  // namespace dolmen::database
