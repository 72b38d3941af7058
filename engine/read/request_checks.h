// What requests of many parts have in common.

#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "dolmen/status.h"

namespace dolmen::engine {

// Whether two of the rows are the same one.
bool HasDuplicates(std::vector<std::string_view> rows);

// That a list of the request is too short or too long: `constraint` is "less than or equal to 100".
// DynamoDB shows the list, too, which here nobody has written down.
Status WrongLength(std::string_view parameter, std::string_view constraint);

// The most bytes of items that one transaction reads or writes.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html
inline constexpr std::uint64_t kTransactionBytesMax = std::uint64_t{4} << 20;

// Checks the size of all items of a transaction together.
// - kValidation: they have more than kTransactionBytesMax bytes.
Status CheckTransactionSize(std::uint64_t bytes);

}  // namespace dolmen::engine
