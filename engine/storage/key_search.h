// A search for a border between keys that asks about single keys.

#pragma once

#include <functional>
#include <optional>

#include "engine/key/encoded_key.h"

namespace dolmen::engine {

// Returns true if the key lies past the border.  Is called only with keys that are greater than the
// range's lower bound.  Every key past the first key past the border must lie past it, too.
using IsPastBorder = std::function<bool(const EncodedKey&)>;

// Returns the least key in the range, its upper bound included, that lies past the border.  Returns
// nothing if the upper bound does not lie past it.  Asks about ten times for each byte of the key.
//
// The answers may change during the search.  Then the result is a key greater than the range's
// lower bound, or the upper bound, that lay past the border when the search asked about it.
std::optional<EncodedKey> FirstKeyPastBorder(const KeyRange& range,
                                             const IsPastBorder& is_past_border);

}  // namespace dolmen::engine
