// Checks of encoded keys. The engine writes and compares them but never decodes them. The checks
// cover the properties that this relies on.

#pragma once

#include <string_view>

namespace dolmen::fuzz {

// Checks the keys that `input` describes. Each part is a byte with the part's size and then the
// part's bytes.
void TryKeys(std::string_view input);

}  // namespace dolmen::fuzz
