// The write of a batch of items.

#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "dolmen/database.h"
#include "dolmen/operations.h"
#include "dolmen/result.h"

namespace dolmen::command {

inline constexpr std::size_t kPutsMax = 25;  // the limit of BatchWriteItem

// A function that gets the number of an item, from 0, and the outcome of its put. An error that it
// returns ends the call.
using PutHandler = std::function<Status(std::size_t item, const Status& put)>;

// Puts the items into the table as one batch. If one of them is invalid, if two have the same key, or
// if the service leaves some unprocessed, puts them one by one. Calls `on_put` for each item in order.
// Empties `items`, which are kPutsMax PutRequests at most. If `write_units` is not null, adds the
// units that the puts have consumed. Fails as Database::BatchWriteItem does if the whole batch fails
// for another reason; `on_put` is not called then.
Status PutItems(const Database& database, const Table& table, std::vector<WriteRequest>* items,
                const PutHandler& on_put, double* write_units = nullptr);

}  // namespace dolmen::command
