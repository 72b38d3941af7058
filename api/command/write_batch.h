// The write of a batch of items.

#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "dolmen/database.h"
#include "dolmen/operations.h"
#include "dolmen/result.h"

namespace dolmen::command {

inline constexpr std::size_t kWritesMax = 25;  // the limit of BatchWriteItem

// A function that gets the number of an item, from 0, and the outcome of its write. An error that it
// returns ends the call.
using WriteHandler = std::function<Status(std::size_t item, const Status& written)>;

// Puts or deletes the items as one batch. If one of them is invalid, if two have the same key, or if the
// service leaves some unprocessed, writes them one by one. Calls `on_write` for each item in order.
// Empties `items`, which are kWritesMax requests at most. If `write_units` is not null, adds the units
// that the writes have consumed. Fails as Database::BatchWriteItem does if the whole batch fails for
// another reason; `on_write` is not called then.
Status WriteAsBatch(const Database& database, const Table& table, std::vector<WriteRequest>* items,
                    const WriteHandler& on_write, double* write_units = nullptr);

// Returns the error for an item that the table rejects. `keys` are those of the item, such as {PK: "a"}.
Status RejectedItem(const Table& table, const std::string& keys, const Status& why);

}  // namespace dolmen::command
