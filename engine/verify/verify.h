// The verification of a whole database.

#pragma once

#include <span>

#include "dolmen/result.h"
#include "dolmen/verify.h"
#include "engine/schema/live_table.h"
#include "engine/storage/store.h"

namespace dolmen::engine {

// Checks the table files and the tables. Contract: Database::Verify. Data that cannot be read is
// a finding, not an error. Callable from any number of threads.
Result<VerifyOutput> Verify(const Store& store, std::span<const LiveTableRef> tables,
                            const VerifyProgressHandler& progress);

}  // namespace dolmen::engine
