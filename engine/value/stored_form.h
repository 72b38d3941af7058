// The stored form of items, for implementations of internal::Backend that get items in another form.
// This header is not installed.

#pragma once

#include <string>

#include "dolmen/attribute_value.h"
#include "dolmen/item_view.h"
#include "dolmen/result.h"

namespace dolmen::internal {

// Append the stored form of an item, or of a value without its type, to `*out`. After an error `*out`
// is unchanged. Thread-safe.
// - kValidation, with DynamoDB's message: the item or the value cannot be stored.
Status AppendStored(const Item& item, std::string* out);
Status AppendStored(const AttributeValue& value, std::string* out);

// Returns the item in its stored form. Thread-safe.
// - kValidation, with DynamoDB's message: the item cannot be stored.
Result<StoredItem> ToStored(const Item& item);

// Returns whether the item has all attributes of `key`, with equal values. Thread-safe.
bool HasKey(const ItemView& item, const Item& key);

}  // namespace dolmen::internal
