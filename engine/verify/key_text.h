// Keys as text for people.

#pragma once

#include <string>
#include <string_view>

#include "dolmen/item_view.h"
#include "engine/key/key_schema.h"

namespace dolmen::engine {

// What a row's key says: {PK: "a", SK: 7}; its bytes in hexadecimal if it is none of the schema.
std::string KeyText(const KeySchema& keys, std::string_view row);

// What the item's key attributes say.
std::string KeyText(const KeySchema& keys, const ItemView& item);

}  // namespace dolmen::engine
