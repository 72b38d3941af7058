// Writes of one item, of a batch, of a transaction: prepared, done, and counted.

#pragma once

#include <span>

#include "dolmen/batch.h"
#include "dolmen/operations.h"
#include "dolmen/result.h"
#include "dolmen/transact.h"
#include "engine/schema/live_table.h"
#include "engine/write/writer.h"

namespace dolmen::engine {

// Contracts: dolmen/table.h.  Input is a PutItemInput, UpdateItemInput or DeleteItemInput.
template <typename Input>
Result<WriteItemOutput> WriteItem(const WriteContext& context, const LiveTable& table,
                                  const Input& input);

// Contracts: dolmen/database.h.  `tables` are those of the requests and actions, in their order.
Result<BatchWriteItemOutput> BatchWriteItem(const WriteContext& context,
                                            const BatchWriteItemInput& input,
                                            std::span<LiveTable* const> tables);
Result<TransactWriteItemsOutput> TransactWriteItems(const WriteContext& context,
                                                    const TransactWriteItemsInput& input,
                                                    std::span<LiveTable* const> tables);

}  // namespace dolmen::engine
