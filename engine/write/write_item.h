// PutItem, UpdateItem and DeleteItem: one write of one item.

#pragma once

#include "dolmen/operations.h"
#include "dolmen/result.h"
#include "engine/schema/live_table.h"
#include "engine/write/atomic_write.h"

namespace dolmen::engine {

// Contracts: Table::PutItem, Table::UpdateItem and Table::DeleteItem. `Input` is the input
// structure of one of the three; write_item.cc instantiates the template for them.
template <typename Input>
Result<WriteItemOutput> WriteItem(const WriteContext& context, const LiveTable& table,
                                  const Input& input);

}  // namespace dolmen::engine
