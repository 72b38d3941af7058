// The five patterns: the design of each table, and its sample data. README.md shows the designs, and a
// test compares them (tests/models/readme_test.cc). LoadSampleData stores the document's example. A
// second call stores the same items again, so it undoes changes of them. It keeps other items.

#pragma once

#include <dolmen/entity.h>
#include <dolmen/entity/describe.h>

namespace dolmen::groups {
TableDesign Design();
Status LoadSampleData(const EntityTable& table);
}  // namespace dolmen::groups
namespace dolmen::employment {
TableDesign Design();
Status LoadSampleData(const EntityTable& table);
}  // namespace dolmen::employment
namespace dolmen::orders {
TableDesign Design();
Status LoadSampleData(const EntityTable& table);
}  // namespace dolmen::orders
namespace dolmen::places {
TableDesign Design();
Status LoadSampleData(const EntityTable& table);
}  // namespace dolmen::places
namespace dolmen::posts {
TableDesign Design();
Status LoadSampleData(const EntityTable& table);
}  // namespace dolmen::posts
