// Checks that requests of several parts share.

#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "dolmen/status.h"

namespace dolmen::engine {

// Returns true if two of the row keys are equal.
bool HasDuplicates(std::vector<std::string_view> rows);

// Returns kValidation for a list of the request that is too short or too long.  An example of
// `constraint` is "less than or equal to 100".  DynamoDB's message shows the list, too; Dolmen's
// does not, because the request does not exist as text.
Status WrongLength(std::string_view parameter, std::string_view constraint);

// The most bytes of items that one transaction may read or write.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html
inline constexpr std::uint64_t kTransactionBytesMax = std::uint64_t{4} << 20;

// Checks the size of all items of a transaction together.
// - kValidation: `bytes` is more than kTransactionBytesMax.
Status CheckTransactionSize(std::uint64_t bytes);

}  // namespace dolmen::engine
