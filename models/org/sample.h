// Sample data: four users in three organisations. README.md lists the members of each.

#pragma once

#include "models/org/org.h"

namespace dolmen::org {

// Creates the sample data through the ordinary operations of Org. Existing items are not changed,
// so an interrupted load can be repeated.
Status LoadSampleData(const Org& org);

}  // namespace dolmen::org
