// Reading streams as DynamoDB Streams are read.

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

// What reading works on.
struct StreamContext {
  const Catalog& catalog;
  ChangeLog& changes;
  LockTable& locks;
  Clock& clock;
};

// Contracts: dolmen/database.h.
Result<ListStreamsOutput> ListStreams(const StreamContext& context, const ListStreamsInput& input);
Result<StreamDescription> DescribeStream(const StreamContext& context,
                                         const DescribeStreamInput& input);
Result<std::string> GetShardIterator(const StreamContext& context,
                                     const GetShardIteratorInput& input);
Result<GetRecordsOutput> GetRecords(const StreamContext& context, const GetRecordsInput& input);

// The number behind which to read from a position on, where numbers start at `first` and those up
// to `trimmed` are gone.  kValidation: there is or was no such number.  kTrimmedDataAccess: it is
// gone.
Result<SequenceNumber> Resolve(const ChangeLog& changes, const StreamPosition& position,
                               SequenceNumber first, SequenceNumber trimmed);

// That the records up to `trimmed`, at least, are gone.
Status TrimmedData(SequenceNumber trimmed);

}  // namespace dolmen::engine
