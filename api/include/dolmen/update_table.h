// Changes of a table: an index to create or to delete, the stream, the protection against deletion, the
// annotations.
//
//   const auto changed = db.UpdateTable(
//       {.name = "app", .create_index = GlobalSecondaryIndex::Overloaded("GSI2")});
//   if (changed.ok()) const Status built = table.WaitForIndexes();
//
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateTable.html

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <optional>
#include <string>

#include "dolmen/attribute_value.h"
#include "dolmen/create_table.h"

namespace dolmen {

// The changes of a table; at least one change is required. One call can create or delete one index,
// or it can enable or disable the stream, but not both.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateTable.html
struct UpdateTableInput {
  std::string name = {};

  // An index to create. It can be read once its backfill has ended (Table::WaitForIndexes).
  std::optional<GlobalSecondaryIndex> create_index = {};
  std::string delete_index = {};  // the name of a global index; empty: delete none

  // A stream to enable or disable. Enabling creates a new stream with its own ARN. The records of
  // the previous stream can be read as long as they are retained.
  std::optional<StreamSpecification> stream_specification = {};

  std::optional<bool> deletion_protection = {};  // nothing: no change

  // The new annotations, which replace all annotations that the caller had set before. An
  // annotation whose name begins with "dolmen:" changes only if this map contains its name; the
  // value NULL removes the annotation.
  std::optional<Map> annotations = {};
};

}  // namespace dolmen

#include "dolmen/internal/show_macros.h"
