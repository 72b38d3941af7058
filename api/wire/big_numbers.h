// Handling of numbers that JSON allows and simdjson rejects.

#pragma once

#include <string>
#include <string_view>

namespace dolmen::wire {

// Returns `json` without integers that exceed 64 bits and without fractions that exceed a double. A
// large number of the same sign and kind replaces each of them. A valid request has numbers that
// large only in unknown members, which are ignored. In the place of a string, the number is
// replaced so that the error about the wrong type is reported.
std::string ReplaceBigNumbers(std::string_view json);

}  // namespace dolmen::wire
