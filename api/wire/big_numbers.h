// Handling of numbers that JSON allows and simdjson rejects.

#pragma once

#include <string>
#include <string_view>

namespace dolmen::wire {

// Returns `json` without integers that exceed 64 bits and without fractions that exceed a double. A
// large number of the same sign and kind replaces each of them. No parameter accepts numbers that
// large. They may appear in unknown members, which are ignored. They may appear in place of a
// string, where every number is an error.
std::string ReplaceBigNumbers(std::string_view json);

}  // namespace dolmen::wire
