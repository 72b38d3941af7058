// GetItem, and the functions that BatchGetItem and TransactGetItems share with GetItem.

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

// Contract: Table::GetItem. Reuses the memory of `output`. After an error the content of `output`
// is unspecified.
Status GetItem(const ReadContext& context, const TableSchema& table, const GetItemInput& input,
               GetItemOutput* output);

// A request's ProjectionExpression. Borrows from the request, which must outlive it. The member
// `projection` borrows from `placeholders`, so a GetProjection cannot be copied or moved.
struct GetProjection {
  GetProjection() = default;
  GetProjection(const GetProjection&) = delete;
  GetProjection& operator=(const GetProjection&) = delete;

  std::optional<Placeholders> placeholders = {};
  RequestProjection projection = {};

  // Checks the keys and binds the projection, as far as this is possible without the table's
  // schema.
  // - kValidation, with DynamoDB's message: the request would be invalid for every table.
  Status Validate(std::span<const Item> keys, const ProjectionExpression& source,
                  const Names& names);
  // Checks that the projection uses key attributes of the table as scalars.
  // - kValidation, with DynamoDB's message: a path leads into a key attribute.
  Status CheckKeyUses(const TableSchema& table) const;

  // Writes the parts of a stored item that the request asks for to `*output`, whose memory it
  // reuses. After an error the content of `*output` is unspecified.
  // - kCorruption: the item is damaged.
  Status Apply(const ItemView& item, StoredItem* output) const;
};

// Returns the item that the bytes of a row hold. Returns nothing if `hidden` is set and the item
// has expired. The view lives as long as the bytes.
// - kCorruption: the bytes are not an item.
Result<std::optional<ItemView>> VisibleItem(std::string_view bytes DOLMEN_LIFETIME_BOUND,
                                            const std::optional<ExpiryCutoff>& hidden);

// Returns the stored key of the row that the key in a request identifies.
// - kValidation: the key does not consist of exactly the table's key attributes.
// REQUIRES: CheckItem(key) is ok (engine/value/codec.h).
Result<EncodedKey> RowOfRequest(const TableSchema& table, const Item& key);

}  // namespace dolmen::engine
