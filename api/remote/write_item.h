// PutItem, UpdateItem and DeleteItem.
//
// Most writes are one request. A write that depends on its item in a way that no expression can say is
// decided here: the engine's rules compute the new item from the stored one, and a condition ensures that no
// other writer has changed the item in between. This is so if the item has expired and is hidden, and for
// some updates with a rewriter.
//
// An update with a rewriter is an update of an entity. It is first sent in its plain form, if it has one
// (internal::ItemRewriter::MakePlain). If the condition of this form is false, the service returns the
// item, and the update is decided for it. This finds the error, for example that of a false condition of
// the program, without another request. An item is read only if no response has returned it.

#pragma once

#include "dolmen/consumed_capacity.h"
#include "dolmen/operations.h"
#include "dolmen/result.h"
#include "remote/remote_table.h"
#include "remote/service.h"

namespace dolmen::remote {

// Contract: Table::PutItem, Table::UpdateItem and Table::DeleteItem. Also:
// - kTransactionConflict: other writers have changed the item 30 times between read and write.
Result<WriteItemOutput> WriteOneItem(const Service& service, const RemoteTable& table,
                                     const PutItemInput& input);
Result<WriteItemOutput> WriteOneItem(const Service& service, const RemoteTable& table,
                                     const UpdateItemInput& input);
Result<WriteItemOutput> WriteOneItem(const Service& service, const RemoteTable& table,
                                     const DeleteItemInput& input);

// The number of times that a decided write is tried.
inline constexpr int kDecisionsMax = 30;

// Reads the item with ConsistentRead, hidden or not. Adds the units to `*capacity` if `wanted`.
Result<std::optional<StoredItem>> ReadLatest(const Service& service, std::string_view table,
                                             const Item& key, ReturnConsumedCapacity wanted,
                                             std::optional<ConsumedCapacity>* capacity);

// Return the key of the item that a request writes.
Item KeyOf(const PutItemInput& input, const std::vector<std::string>& keys);
template <typename Input>
const Item& KeyOf(const Input& input, const std::vector<std::string>&) {
  return input.key;
}

// Returns the error without its item, unless the request asked for the item.
template <typename Input>
Status WithoutUnaskedItem(const Input& input, const Status& error) {
  if (error.code() != StatusCode::kConditionalCheckFailed || error.item() == nullptr) return error;
  return input.return_item_on_condition_failure ? error : Status::ConditionalCheckFailed();
}

}  // namespace dolmen::remote
