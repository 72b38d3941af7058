#include "engine/write/prepared_writes.h"

#include <string_view>
#include <utility>

#include "engine/read/capacity.h"
#include "engine/read/request_checks.h"

namespace dolmen::engine {

bool PreparedWrites::HasDuplicates() const {
  boost::container::small_vector<std::string_view, kUsualActions> rows;
  for (const WriteAction* action : pointers_) {
    if (!action->key_mismatch) rows.push_back(action->row.bytes());
  }
  return engine::HasDuplicates({rows.data(), rows.size()});
}

Result<WriteVerdict> PreparedWrites::Commit(const WriteContext& context,
                                            const WriteOptions& options, WriteBatch&& batch) {
  outcomes_.clear();
  outcomes_.resize(pointers_.size());
  return WriteAtomically(context, actions(), outcomes(), options, std::move(batch));
}

std::vector<ConsumedCapacity> PreparedWrites::Capacity(ReturnConsumedCapacity which,
                                                       bool of_transaction) const {
  if (which == ReturnConsumedCapacity::kNone) return {};
  CapacityMeter meter(which, of_transaction);
  for (std::size_t i = 0; i < pointers_.size(); ++i) {
    const ActionOutcome& outcome = outcomes_[i];
    meter.AddWrite(*pointers_[i]->table, outcome.size_before, outcome.size_after,
                   outcome.index_changes);
  }
  return meter.Take();
}

}  // namespace dolmen::engine
