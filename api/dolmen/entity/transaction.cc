#include "dolmen/entity/transaction.h"

#include <algorithm>

namespace dolmen {

EntityTransaction& EntityTransaction::Add(Result<entity::PlannedWrite> write) {
  if (write.ok()) {
    writes_.push_back(*std::move(write));
  } else if (status_.ok()) {
    status_ = write.status();
  }
  return *this;
}

Status EntityTransaction::Commit() {
  refusals_.clear();
  if (!status_.ok()) return status_;
  if (writes_.empty()) return {};
  const Status status = sender_.TransactWriteItems(&writes_, token_);
  if (status.code() != StatusCode::kTransactionCanceled) return status;
  refusals_ = status.reasons();
  const auto first =
      std::ranges::find_if(refusals_, [](const Status& refusal) { return !refusal.ok(); });
  return first == refusals_.end() ? status : *first;
}

}  // namespace dolmen
