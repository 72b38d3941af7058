// Checks and lengths of UTF-8 texts.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace dolmen::engine {

// Returns true if `text` is well-formed UTF-8 as the Unicode standard defines it: shortest forms,
// no surrogates, at most U+10FFFF.
bool IsUtf8(std::string_view text);

// Returns the text in well-formed UTF-8, for messages about damaged bytes. Replaces each byte that
// belongs to no character by `\x` and two hexadecimal digits.
std::string ToUtf8(std::string text);

// Returns the length of a text in UTF-16 units. DynamoDB's documentation does not define the unit
// of length. DynamoDB Local, Amazon's implementation for tests, counts UTF-16 units.
// REQUIRES: IsUtf8(text)
std::size_t Utf16Units(std::string_view text);

}  // namespace dolmen::engine
