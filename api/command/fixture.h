// Fixtures: the contents with which `dolmen serve --memory` begins.

#pragma once

#include <string>

#include "dolmen/database.h"
#include "dolmen/result.h"

namespace dolmen::command {

// Returns a database in memory with the contents of a fixture. Database::Reset brings the database
// back to these contents. The fixture is one of:
// - The directory of a database, which is open during the call. Its contents stay unchanged.
// - A directory of exports that `dolmen export` wrote. Each export describes its table.
// - A file that is a seed (dolmen/testing/seed.h) or a data model of NoSQL Workbench.
// `options` are those of the returned database. The clock of the database is options.clock.
// - kValidation: the fixture does not exist, is of no such kind, or holds a wrong table or item.
// - kResourceInUse: the database in the directory is open in another program, or two exports are of
//   the same table.
// - The other errors of Database::Open.
Result<Database> OpenFixture(const std::string& path, const OpenOptions& options);

}  // namespace dolmen::command
