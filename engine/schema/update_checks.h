// The checks of an UpdateTable request that do not depend on the table.

#pragma once

#include "dolmen/result.h"
#include "dolmen/update_table.h"

namespace dolmen::engine {

// Checks that the request has a change, and that its changes fit into one call.
// - kValidation: the request has no change, or changes the stream and an index.
// - kLimitExceeded: the request creates an index and deletes one.
Status CheckChanges(const UpdateTableInput& input);

}  // namespace dolmen::engine
