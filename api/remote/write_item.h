// PutItem, UpdateItem and DeleteItem.
//
// A write is one request, except if its item has expired and is hidden. Then this item is deleted first, as
// the service would do at any time, so that the write finds no item.

#pragma once

#include "dolmen/consumed_capacity.h"
#include "dolmen/operations.h"
#include "dolmen/result.h"
#include "remote/remote_table.h"
#include "remote/service.h"

namespace dolmen::remote {

// Contract: Table::PutItem, Table::UpdateItem and Table::DeleteItem. Also:
// - kTransactionConflict: another writer has put an expired item 30 times.
Result<WriteItemOutput> WriteOneItem(const Service& service, const RemoteTable& table,
                                     const PutItemInput& input);
Result<WriteItemOutput> WriteOneItem(const Service& service, const RemoteTable& table,
                                     const UpdateItemInput& input);
Result<WriteItemOutput> WriteOneItem(const Service& service, const RemoteTable& table,
                                     const DeleteItemInput& input);

// The number of times that a write is tried on hidden items.
inline constexpr int kAttemptsMax = 30;

// Reads the item with ConsistentRead, hidden or not. Adds the units to `*capacity` if `wanted`.
Result<std::optional<StoredItem>> ReadLatest(const Service& service, std::string_view table,
                                             const Item& key, ReturnConsumedCapacity wanted,
                                             std::optional<ConsumedCapacity>* capacity);

// Returns a PutItemInput, UpdateItemInput, DeleteItemInput or ConditionCheckInput as the service gets it: its
// expressions are texts. If `hidden` is given, the request also fails with kConditionalCheckFailed, and with
// the item, if its item is hidden. A put without a condition does not, because it replaces the item anyway.
// - kValidation, with DynamoDB's message: an expression or a value is invalid.
template <typename Input>
Result<Input> ToSend(const Input& input, const std::optional<HiddenItems>& hidden);

// Deletes the item if it is hidden. Adds the units to `*capacity` if `wanted`.
Status DeleteHidden(const Service& service, const RemoteTable& table, const Item& key,
                    const HiddenItems& hidden, ReturnConsumedCapacity wanted,
                    std::optional<ConsumedCapacity>* capacity);

// Returns whether the write was refused because of an item that is hidden from it.
inline bool IsRefusedByHidden(const Status& refusal, const std::optional<HiddenItems>& hidden) {
  return hidden && refusal.code() == StatusCode::kConditionalCheckFailed &&
         refusal.item() != nullptr && hidden->Hides(refusal.item()->view());
}

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
