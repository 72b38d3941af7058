// The net changes of a table's items during a period, from the table's recovery log.

#pragma once

#include "dolmen/point_in_time.h"
#include "dolmen/result.h"
#include "engine/key/encoded_key.h"
#include "engine/recovery/table_copy.h"
#include "engine/storage/store.h"

namespace dolmen::engine {

// Calls input.on_change with each item that a write has changed in the period. First reads the recovery
// log from its end back to the begin of the period, and writes the former versions of each item to the
// keyspace `scratch` of `store`. Then reads this keyspace in the order of the keys. The memory that
// the function needs does not depend on the number of changes. The caller deletes the keyspace.
// REQUIRES: the log covers the period, and no write of the period is missing in the snapshot.
// - kCorruption: a row or a record is damaged.
// - kStorage: a file cannot be read or written.
// - the errors of input.on_change.
Result<ReadChangesOutput> ReadNetChanges(const CopySource& source, const ReadChangesInput& input,
                                         KeyspaceId scratch, Store* store);

}  // namespace dolmen::engine
