// Encoded keys, which are written and compared but never taken apart: what that relies on.

#pragma once

#include <string_view>

namespace dolmen::fuzz {

// `input` holds key attributes: a byte with the size and the bytes, as often as needed.
void TryKeys(std::string_view input);

}  // namespace dolmen::fuzz
