// The file descriptors of the process.

#pragma once

#include <cstddef>

namespace dolmen::server {

// Opens /dev/null for each of standard input, output and error that is closed. Otherwise the next
// opened file would get the free number, and printed text would be written into that file. Standard
// input is opened only for writing, and the other two only for reading. So reads of standard input
// and writes to the other two still fail.
void OpenStandardDescriptors();

// Raises the limit of descriptors to the system's maximum. A shell usually starts programs with
// 1024.
void RaiseDescriptorLimit();

// Returns the number of descriptors that may still be opened.
std::size_t DescriptorsLeft();

}  // namespace dolmen::server
