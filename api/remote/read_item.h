// Reads of items by their keys: GetItem, BatchGetItem and TransactGetItems. Functions for the parts of a
// request that the client adds.
//
// BatchGetItem sends the keys that the service leaves unprocessed again, until ten requests in turn have
// read nothing. The keys that are left then are in the output. With ConnectOptions::attempts_max = 1 no key
// is sent again.

#pragma once

#include <span>
#include <string>
#include <vector>

#include "dolmen/operations.h"
#include "dolmen/result.h"
#include "engine/expression/expression_writer.h"
#include "remote/remote_table.h"
#include "remote/service.h"

namespace dolmen::remote {

// The projection of a request, extended by attributes that the client needs.
struct SentProjection {
  ProjectionExpression text = {};       // none: the request has no projection
  std::vector<std::string> added = {};  // the attributes to remove from each item

  // Adds the projection to the expressions of a request.
  Status Set(const ProjectionExpression& projection, std::span<const std::string> needed,
             internal::ExpressionWriter* expressions);
  // Removes the added attributes from an item.
  Result<StoredItem> Restore(StoredItem item) const;
};

}  // namespace dolmen::remote
