// Cursors: positions in a query as text, for the next page.
//
// A cursor is the hexadecimal form of the key texts, each after its length in two bytes, in the
// order of the attributes' names.

#pragma once

#include <string>
#include <string_view>

#include "dolmen/attribute_value.h"
#include "dolmen/entity/entity_spec.h"

namespace dolmen::entity {

// Returns the cursor of a page's last key.  It has only lower-case hexadecimal digits, so it can be
// part of a URL.  Returns "" for an empty key, which means that no page follows.
//
// A cursor is not encrypted.  A client that decodes it sees the key.
std::string EncodeCursor(const Item& last_evaluated_key);

// Returns the exclusive start key that the cursor stands for.  `primary` and `index` are the first
// queried entity's key in the table and in the queried index; they are the same for a query of the
// table.
// - kValidation: the text is not a cursor with these key attributes.  A cursor of another partition
//   or range passes; the table rejects it with kValidation.
Result<Item> DecodeCursor(std::string_view cursor, const KeySpec& primary, const KeySpec& index);

}  // namespace dolmen::entity
