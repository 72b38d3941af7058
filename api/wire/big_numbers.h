// Handling of numbers that JSON allows and simdjson rejects.

#pragma once

#include <string>
#include <string_view>

namespace dolmen::wire {

// Returns `json` with each number that is too large for simdjson replaced by a large number that
// simdjson accepts. These are integers of more than 64 bits, and fractions outside the range of a
// double. The new number has the same sign, and is an integer if the old number is an integer. In a
// valid request, such numbers are only in unknown members, whose values are ignored. In an invalid
// request, such a number may stand where a string must be. The replacement then lets the type check
// report the wrong type.
std::string ReplaceBigNumbers(std::string_view json);

}  // namespace dolmen::wire
