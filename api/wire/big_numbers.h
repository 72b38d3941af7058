// Numbers that JSON allows and simdjson does not.

#pragma once

#include <string>
#include <string_view>

namespace dolmen::wire {

// The same text with every number that is too large for 64 bits, or for a double, replaced by the
// largest that is not.  No parameter takes such numbers, but unknown ones, which are ignored, may
// be anything, and in the place of a text they are refused as other numbers are.
std::string WithoutBigNumbers(std::string_view json);

}  // namespace dolmen::wire
