// Random tables and indexes.

#pragma once

#include <string>

#include "dolmen/dolmen.h"
#include "tests/support/random.h"

namespace dolmen::test {

// Returns a table with random key types. The sort key and the indexes are optional.
CreateTableInput RandomTable(const std::string& name, Random* random);

// Returns another index for the table. It has one or more key attributes, which may include keys
// of the table.
// REQUIRES: CanHaveMoreIndexes
GlobalSecondaryIndex RandomGlobalIndex(const CreateTableInput& table, Random* random);

// Returns true if an index name is unused. There are few names, so that new indexes reuse the names
// of deleted ones.
bool CanHaveMoreIndexes(const CreateTableInput& table);

}  // namespace dolmen::test
