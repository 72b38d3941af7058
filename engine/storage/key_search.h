// Finding a border between keys by asking about single ones.

#pragma once

#include <functional>
#include <optional>

#include "engine/key/encoded_key.h"

namespace dolmen::engine {

// Whether a key that is greater than the range's lower bound is behind the border.
using IsBehind = std::function<bool(const EncodedKey&)>;

// The least key above the range's lower bound that is behind the border, or nothing if there is
// none in the range.  Asks some ten times for each byte of it.
//
// The answers may change meanwhile.  Then it is another key of the range, or its upper bound, that
// was behind the border when it was asked about.
std::optional<EncodedKey> FirstKeyBehind(const KeyRange& range, const IsBehind& is_behind);

}  // namespace dolmen::engine
