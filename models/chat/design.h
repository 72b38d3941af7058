// The design of the table: its keys and its access patterns. README.md shows both, and a test
// compares them (tests/models/readme_test.cc).

#pragma once

#include <dolmen/entity/describe.h>

namespace dolmen::chat {

// Returns the design. Every access pattern is one request; README.md lists the operations that need
// several requests.
TableDesign Design();

}  // namespace dolmen::chat
