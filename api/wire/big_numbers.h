// Handling of numbers that JSON allows and simdjson rejects.

#pragma once

#include <string>
#include <string_view>

namespace dolmen::wire {

// Returns `json` with each number that exceeds 64 bits, or a double, replaced by a large number of
// the same sign and kind that fits. No parameter accepts numbers that large. They may appear in
// unknown members, which are ignored, and where a string is expected, where any number is rejected.
std::string ReplaceBigNumbers(std::string_view json);

}  // namespace dolmen::wire
