// Cursors: texts that name a position in a query, at which the next page starts.
//
// A cursor holds the texts of the key attributes, in the order of the attributes' names. A length
// of two bytes precedes each text. All bytes are written as hexadecimal digits.

#pragma once

#include <string>
#include <string_view>

#include "dolmen/attribute_value.h"
#include "dolmen/entity/entity_spec.h"

namespace dolmen::entity {

// Returns the cursor of a page's last key. It has only lower-case hexadecimal digits, so it can be
// part of a URL. Returns "" for an empty key, which means that no page follows.
//
// A cursor is not encrypted. A client that decodes it sees the key.
std::string EncodeCursor(const Item& last_evaluated_key);

// Returns the exclusive start key that the cursor contains. `primary` and `index` are the keys of
// the first queried entity in the table and in the queried index. For a query of the table both
// are the primary key.
// - kValidation: the text is not a cursor with these key attributes. The function accepts a cursor
//   from a query of a different partition or range; the table then rejects the query with
//   kValidation.
Result<Item> DecodeCursor(std::string_view cursor, const KeySpec& primary, const KeySpec& index);

}  // namespace dolmen::entity
