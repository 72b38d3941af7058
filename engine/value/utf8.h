// Whether bytes are UTF-8.

#pragma once

#include <string_view>

namespace dolmen::engine {

// True for well-formed UTF-8 of the Unicode standard: shortest forms, no surrogates, at most
// U+10FFFF.
bool IsUtf8(std::string_view text);

}  // namespace dolmen::engine
