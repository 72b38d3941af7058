// The limit of the size of item collections, which a simulation scales down.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>

#include "database/simulate/call.h"
#include "dolmen/result.h"
#include "engine/backend.h"

namespace dolmen::database {

// Checks that the call writes no item to a collection that has more than `bytes_max` bytes. An item
// collection is all items with one partition key, with their entries in local indexes. A table
// without local indexes has no limit. Ignores the items at the positions `unprocessed` in
// Call::items. `engine` is the Engine of the tables.
// - kItemCollectionSizeLimitExceeded: a collection is larger. In a transaction this error is the
//   reason of kTransactionCanceled.
Status CheckItemCollections(const std::shared_ptr<internal::Backend>& engine, const Call& call,
                            const std::set<std::size_t>& unprocessed, std::uint64_t bytes_max);

}  // namespace dolmen::database
