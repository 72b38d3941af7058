// The program `dolmen`, as a function.

#pragma once

namespace dolmen::command {

// Runs the command line and returns the exit code of the program. Prints errors to standard error.
int RunCommand(int argc, const char* const* argv);

}  // namespace dolmen::command
