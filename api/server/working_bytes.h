// The memory that the execution of a request takes.

#pragma once

#include <cstddef>
#include <string_view>

namespace dolmen::server {

// Returns an estimate of the memory that Endpoint::Execute takes for a request, in bytes: the parsed
// JSON and the values that are read from it. Reads the text once.
std::size_t WorkingBytes(std::string_view json);

}  // namespace dolmen::server
