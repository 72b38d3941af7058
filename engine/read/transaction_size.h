// How much a transaction may write or read.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html

#pragma once

#include <cstdint>

#include "dolmen/status.h"

namespace dolmen::engine {

inline constexpr std::uint64_t kTransactionBytesMax = std::uint64_t{4} << 20;

// kValidation if that is too much of items.
inline Status CheckTransactionSize(std::uint64_t bytes) {
  if (bytes <= kTransactionBytesMax) return {};
  return Status::Validation(  // text unverified
      "The aggregate size of the items in the transaction exceeds 4 MB");
}

}  // namespace dolmen::engine
