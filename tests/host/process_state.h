// The state of a process that belongs to its program, and not to a library in it.

#pragma once

#include <string>
#include <vector>

namespace dolmen::test {

// A part of the state.
struct NamedState {
  const char* name;
  std::string (*read)();  // returns it as a text; equal texts mean equal states
};

// Returns the list of all parts that Dolmen must leave alone.
const std::vector<NamedState>& ProcessStates();

// Returns "name: text" for each part.
std::vector<std::string> ReadProcessStates();

// Returns the nice value, the priority and the scheduler of each thread of the process, as "name: numbers".
// The texts of two threads differ only if their names or these numbers do.
std::vector<std::string> ReadThreadPriorities();

}  // namespace dolmen::test
