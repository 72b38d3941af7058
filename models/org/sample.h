// Sample data: four users in three organisations.  README.md says what of it is where.

#pragma once

#include "models/org/org.h"

namespace dolmen::org {

// Makes everything by the directory's ordinary operations.  Who is there already stays there, so
// loading that broke off can be repeated.
Status LoadSampleData(const Org& org);

}  // namespace dolmen::org
