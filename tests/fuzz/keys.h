// Checks of encoded keys. The engine writes and compares encoded keys but never decodes them. The
// checks cover the properties of encoded keys on which the engine relies.

#pragma once

#include <string_view>

namespace dolmen::fuzz {

// Checks the keys whose parts are in `input`. Each part is one byte with the part's size, followed
// by the part's bytes.
void TryKeys(std::string_view input);

}  // namespace dolmen::fuzz
