// The design of the table: its keys and its access patterns. README.md shows both, and a test
// compares them (tests/models/readme_test.cc).

#pragma once

#include <dolmen/entity/describe.h>

namespace dolmen::chat {

// Returns the design. Each access pattern names its first request; README.md tells what follows it.
TableDesign Design();

}  // namespace dolmen::chat
