// GetItem.

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

// Contract: Table::GetItem.
Status ReadItem(const Service& service, const RemoteTable& table, const GetItemInput& input,
                GetItemOutput* output);

// The projection of a request, extended by attributes that the client needs.
struct SentProjection {
  std::string text = {};                // empty: the request has no projection
  std::vector<std::string> added = {};  // the attributes to remove from each item

  // Adds the projection to the expressions of a request.
  Status Set(const ProjectionExpression& projection, std::span<const std::string> needed,
             internal::ExpressionWriter* expressions);
  // Removes the added attributes from an item.
  Result<StoredItem> Restore(StoredItem item) const;
};

}  // namespace dolmen::remote
