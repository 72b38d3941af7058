#include "engine/read/request_checks.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

namespace dolmen::engine {

bool HasDuplicates(std::span<std::string_view> rows) {
  std::sort(rows.begin(), rows.end());
  return std::adjacent_find(rows.begin(), rows.end()) != rows.end();
}

Status TwoOperationsOnOneItem() {
  return Status::Validation("Transaction request cannot include multiple operations on one item");
}

Status CancelFor(std::span<Status> reasons) {
  const auto ok = [](const Status& reason) { return reason.ok(); };
  if (std::all_of(reasons.begin(), reasons.end(), ok)) return {};
  return Status::TransactionCanceled(
      {std::make_move_iterator(reasons.begin()), std::make_move_iterator(reasons.end())});
}

Status CheckTransactionSize(std::uint64_t bytes) {
  if (bytes <= kTransactionBytesMax) return {};
  return Status::Validation("Transaction payload size cannot exceed 4MB. Payload Size: " +
                            std::to_string(bytes));
}

}  // namespace dolmen::engine
