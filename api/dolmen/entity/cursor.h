// Where a query goes on, as a text that may stand in a URL.

#pragma once

#include <string>
#include <string_view>

#include "dolmen/attribute_value.h"
#include "dolmen/entity/entity_spec.h"

namespace dolmen::entity {

// Letters and digits only; "" for no key.  Says what the key is to who decodes it: it hides
// nothing.
std::string EncodeCursor(const Item& last_evaluated_key);

// The key that a query of the table or, with `index`, of an index goes on behind.
// kValidation: it is not a cursor of such a query.
Result<Item> DecodeCursor(std::string_view cursor, const KeySpec& primary, const KeySpec& index);

}  // namespace dolmen::entity
