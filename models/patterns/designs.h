// The designs of the five tables: their keys and their access patterns. README.md shows both, and a
// test compares them (tests/models/readme_test.cc).

#pragma once

#include <dolmen/entity/describe.h>

namespace dolmen::groups {
TableDesign Design();
}
namespace dolmen::employment {
TableDesign Design();
}
namespace dolmen::orders {
TableDesign Design();
}
namespace dolmen::places {
TableDesign Design();
}
namespace dolmen::posts {
TableDesign Design();
}
