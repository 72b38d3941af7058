// Looking through all that a database holds.

#pragma once

#include <span>

#include "dolmen/result.h"
#include "dolmen/verify.h"
#include "engine/schema/live_table.h"
#include "engine/storage/store.h"

namespace dolmen::engine {

// Contract: Database::Verify.
Result<VerifyOutput> Verify(const Store& store, std::span<const LiveTableRef> tables,
                            const VerifyProgressHandler& progress);

}  // namespace dolmen::engine
