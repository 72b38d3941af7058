// A binary search in a key range. A condition is false for the lower keys of the range and true for
// all keys past a border; the search finds the first key past the border.

#pragma once

#include <functional>
#include <optional>

#include "engine/key/encoded_key.h"

namespace dolmen::engine {

// A function that returns true if the key lies past the border. If a key lies past the border,
// every greater key must also lie past the border. The search calls the function only with keys
// that are greater than the range's lower bound.
using IsPastBorder = std::function<bool(const EncodedKey&)>;

// Returns the least key past the border, which is in the range or is the range's upper bound.
// Returns nothing if the upper bound does not lie past the border. Calls `is_past_border` about
// ten times for each byte of the key.
//
// The results of `is_past_border` may change during the search. The returned key is then greater
// than the lower bound and not greater than the upper bound. At the moment when the search tested
// this key, the key lay past the border.
std::optional<EncodedKey> FirstKeyPastBorder(const KeyRange& range,
                                             const IsPastBorder& is_past_border);

}  // namespace dolmen::engine
