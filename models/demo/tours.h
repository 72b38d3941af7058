// The stories of the models. Each loads its model's sample data into an empty database, draws the
// table, shows the access patterns and the errors, and ends with a table of their costs. `clock` is
// the database's clock. Two runs print the same text except for times.

#pragma once

#include <dolmen/clock.h>
#include <dolmen/database.h>

#include "models/demo/page.h"

namespace dolmen::demo {

Status ShowChat(const Database& database, ManualClock* clock, Page* page);
Status ShowOrg(const Database& database, ManualClock* clock, Page* page);
Status ShowUser(const Database& database, ManualClock* clock, Page* page);
Status ShowCourse(const Database& database, ManualClock* clock, Page* page);
Status ShowPatterns(const Database& database, ManualClock* clock, Page* page);

}  // namespace dolmen::demo
