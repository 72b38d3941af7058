// The process's file descriptors.

#pragma once

#include <cstddef>

namespace dolmen::server {

// Opens /dev/null for those of standard input, output and error that are closed: the next file that
// is opened would have their number, and what is printed would be written into it.  Using them
// still fails, so that an output that goes nowhere is no success.
void OpenStandardDescriptors();

// As many as the system allows: a shell starts programs with 1024, unless asked for more.
void AllowAllDescriptors();

// How many more may be opened.
std::size_t DescriptorsLeft();

}  // namespace dolmen::server
