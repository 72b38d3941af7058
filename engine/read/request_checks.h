// Checks for requests that consist of several parts: batches and transactions.

#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "dolmen/result.h"

namespace dolmen::engine {

// Sorts the row keys. Returns true if two of them are equal.
bool HasDuplicates(std::span<std::string_view> rows);

// Returns the kValidation error for a transaction that names an item twice.
Status TwoOperationsOnOneItem();

// Returns ok if all reasons are ok. `reasons` has one status for each action of a transaction.
// - kTransactionCanceled: a reason is an error. The reasons are moved into the error.
Status CancelFor(std::span<Status> reasons);

// The maximum total size in bytes of the items that one transaction reads or writes.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html
inline constexpr std::uint64_t kTransactionBytesMax = std::uint64_t{4} << 20;

// Checks the total size of the items of a transaction.
// - kValidation: `bytes` is more than kTransactionBytesMax.
Status CheckTransactionSize(std::uint64_t bytes);

}  // namespace dolmen::engine
