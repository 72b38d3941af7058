// The write of the changes of a stream to another table.

#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "command/database_command.h"
#include "dolmen/streams.h"

namespace dolmen::command {

// Writes each item as it is after the last of its changes in `changes`, which are in the order of the
// stream. Sends batches of 25 items, at most `parallel` side by side. Calls `stops` before each batch, on
// any thread. After success the table `to` has acknowledged all items. After an error it may have some of
// them. To write changes again does no harm, if all later changes follow.
// - kStorage: `stops` has returned true.
// - kValidation: the table `to` rejects an item. The message has its keys.
// - The errors of Database::BatchWriteItem, Table::PutItem and Table::DeleteItem.
// REQUIRES: each change that is no deletion has its new image. `parallel` is not 0.
Status WriteChanges(const OpenedTable& to, const std::vector<const StreamRecord*>& changes,
                    std::size_t parallel, const std::function<bool()>& stops);

}  // namespace dolmen::command
