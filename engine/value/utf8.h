// Whether bytes are UTF-8, and how long a text they are.

#pragma once

#include <cstddef>
#include <string_view>

namespace dolmen::engine {

// True for well-formed UTF-8 of the Unicode standard: shortest forms, no surrogates, at most
// U+10FFFF.
bool IsUtf8(std::string_view text);

// The length of a text as DynamoDB counts it, in UTF-16 units: the documentation speaks of length
// and characters without saying what these are, and DynamoDB Local, which is Amazon's, counts so.
// REQUIRES: IsUtf8(text)
std::size_t Utf16Units(std::string_view text);

}  // namespace dolmen::engine
