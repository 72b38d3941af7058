// Handling of numbers that JSON allows and simdjson rejects.

#pragma once

#include <string>
#include <string_view>

namespace dolmen::wire {

// Returns `json` after replacing each number that is too large for simdjson: each integer of more
// than 64 bits, and each fraction outside the range of a double. The replacement is a large number
// that simdjson accepts. It has the same sign, and is an integer if the replaced number is an
// integer. A valid request has numbers that large only in unknown members, whose values the
// endpoint ignores. An invalid request may have one in the place of a string. Because of the
// replacement, simdjson can parse the request, and the type check reports the wrong type.
std::string ReplaceBigNumbers(std::string_view json);

}  // namespace dolmen::wire
