// The operations of DynamoDB Streams.

#pragma once

#include <string>

#include "dolmen/clock.h"
#include "dolmen/result.h"
#include "dolmen/streams.h"
#include "dolmen/subscription.h"
#include "engine/schema/catalog.h"
#include "engine/stream/change_log.h"
#include "engine/write/lock_table.h"

namespace dolmen::engine {

// The parts of the engine that the operations use. The context borrows them.
struct StreamContext {
  const Catalog& catalog;
  ChangeLog& changes;
  LockTable& locks;
  Clock& clock;
};

// Contracts: dolmen/database.h. Callable from any number of threads.
Result<ListStreamsOutput> ListStreams(const StreamContext& context, const ListStreamsInput& input);
Result<StreamDescription> DescribeStream(const StreamContext& context,
                                         const DescribeStreamInput& input);
Result<std::string> GetShardIterator(const StreamContext& context,
                                     const GetShardIteratorInput& input);
Result<GetRecordsOutput> GetRecords(const StreamContext& context, const GetRecordsInput& input);

// Returns the number after which a reader begins if its position is `position`. `first` is the
// first number of the stream. If a subscription reads all streams of a table, `first` is the first
// number of these streams. `trimmed` is the greatest number that was trimmed.
// - kValidation: the number of `position` is malformed, less than `first`, or was never assigned.
// - kTrimmedDataAccess: the records at `position` were trimmed.
Result<SequenceNumber> ResolvePosition(const ChangeLog& changes, const StreamPosition& position,
                                       SequenceNumber first, SequenceNumber trimmed);

// Returns a kTrimmedDataAccess error which says that the records up to `trimmed` do not exist any
// more.
Status TrimmedDataError(SequenceNumber trimmed);

}  // namespace dolmen::engine
