// Batches of which a simulation leaves some items unprocessed.

#pragma once

#include <cstddef>
#include <set>

#include "dolmen/batch.h"

namespace dolmen::database {

// Return the batch without the items at the positions `unprocessed`. Positions count from 0 over all
// tables of the batch. Tables without items are left out.
BatchGetItemInput WithoutItems(const BatchGetItemInput& input,
                               const std::set<std::size_t>& unprocessed);
BatchWriteItemInput WithoutItems(const BatchWriteItemInput& input,
                                 const std::set<std::size_t>& unprocessed);

// Return the output of the whole batch, from the output of the batch that WithoutItems returns.
BatchGetItemOutput OutputOf(const BatchGetItemInput& input,
                            const std::set<std::size_t>& unprocessed, BatchGetItemOutput done);
BatchWriteItemOutput OutputOf(const BatchWriteItemInput& input,
                              const std::set<std::size_t>& unprocessed, BatchWriteItemOutput done);

}  // namespace dolmen::database
