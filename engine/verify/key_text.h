// The text of keys in messages.

#pragma once

#include <string>
#include <string_view>

#include "dolmen/item_view.h"
#include "engine/key/key_schema.h"

namespace dolmen::engine {

// Returns the text of a row's key, such as {PK: "a", SK: 7}. Returns the bytes in hexadecimal if
// they are not a valid key of the schema.
std::string KeyText(const KeySchema& keys, std::string_view row);

// Returns the text of the item's key attributes.
std::string KeyText(const KeySchema& keys, const ItemView& item);

}  // namespace dolmen::engine
