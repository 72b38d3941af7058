// Standard input, output and error of a process that has closed them.

#pragma once

namespace dolmen {

// Opens /dev/null for each of standard input, output and error that is closed. Otherwise the next
// opened file would get the free number, and printed text would be written into that file. Standard
// input is opened only for writing, and the other two only for reading. So reads of standard input
// and writes to the other two still fail. Does nothing in a process that has not closed them.
void OpenStandardDescriptors();

}  // namespace dolmen
