// The file descriptors of the process.

#pragma once

#include <cstddef>

namespace dolmen::server {

// Raises the limit of descriptors to the system's maximum. A shell usually starts programs with
// 1024.
void RaiseDescriptorLimit();

// Returns the number of descriptors that may still be opened.
std::size_t DescriptorsLeft();

}  // namespace dolmen::server
