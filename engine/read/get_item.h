// Reading one item by its key: what GetItem, BatchGetItem and TransactGetItems have in common.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "dolmen/item_view.h"
#include "dolmen/operations.h"
#include "dolmen/result.h"
#include "engine/expression/placeholders.h"
#include "engine/expression/request_expression.h"
#include "engine/key/encoded_key.h"
#include "engine/read/expiry_cutoff.h"
#include "engine/read/read_context.h"
#include "engine/schema/table_schema.h"

namespace dolmen::engine {

// Contract: Table::GetItem.  After an error `output` holds anything.
Status GetItem(const ReadContext& context, const TableSchema& table, const GetItemInput& input,
               GetItemOutput* output);

// A request's ProjectionExpression, bound.  Borrows from the request and the schema; stays where it
// is made.
struct GetProjection {
  GetProjection() = default;
  GetProjection(const GetProjection&) = delete;
  GetProjection& operator=(const GetProjection&) = delete;

  std::optional<Placeholders> placeholders = {};
  RequestProjection projection = {};

  // What can be said of a request for items without their table.  kValidation, with DynamoDB's
  // messages.
  Status Validate(std::span<const Item> keys, const ProjectionExpression& source,
                  const Names& names);
  // And with it.
  Status CheckKeyUses(const TableSchema& table) const;

  // Of a stored item, what the request asks for, in the memory of `bytes`.
  // kCorruption: the item is damaged.
  Result<StoredItem> Apply(const ItemView& item, std::string bytes = {}) const;
};

// The item that the bytes of a row hold, or nothing if it is hidden.  Lives as long as they.
Result<std::optional<ItemView>> SeenItem(std::string_view bytes DOLMEN_LIFETIME_BOUND,
                                         const std::optional<ExpiryCutoff>& hidden);

// The row of a request's key.  kValidation: it is not one of the table.
// REQUIRES: CheckItem(key) is ok (codec.h)
Result<EncodedKey> RowOfRequest(const TableSchema& table, const Item& key);

}  // namespace dolmen::engine
