// Random tables and indexes.

#pragma once

#include <string>

#include "dolmen/dolmen.h"
#include "tests/support/random.h"

namespace dolmen::test {

// With keys of every type, with or without a sort key, with indexes or without.
CreateTableInput RandomTable(const std::string& name, Random* random);

// One more for that table: of one attribute or several, which may be keys of the table too.
// REQUIRES: CanHaveMoreIndexes
GlobalSecondaryIndex RandomGlobalIndex(const CreateTableInput& table, Random* random);

// Whether there is a name left.  They are few, so that names are used again for other indexes.
bool CanHaveMoreIndexes(const CreateTableInput& table);

}  // namespace dolmen::test
