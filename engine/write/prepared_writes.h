// The actions of one request, which become one atomic write.

#pragma once

#include <deque>
#include <functional>
#include <span>
#include <vector>

#include "dolmen/capacity.h"
#include "dolmen/result.h"
#include "engine/schema/live_table.h"
#include "engine/write/atomic_write.h"
#include "engine/write/prepare.h"

namespace dolmen::engine {

class PreparedWrites {
 public:
  // Adds an action on the table as it is now.  Errors: Prepare; kResourceNotFound: it is dropped.
  template <typename Input>
  Status Add(const LiveTable& table, const Input& input) {
    const TableSchema* const schema = table.schema();
    if (schema == nullptr) return NoSuchTable();
    WriteAction& action = actions_.emplace_back();
    action.live = &table;
    Status prepared = Prepare(*schema, input, &action);
    pointers_.push_back(&action);
    return prepared;
  }

  bool HasDuplicates() const;  // two actions are on one item

  std::span<const WriteAction* const> actions() const DOLMEN_LIFETIME_BOUND { return pointers_; }

  // WriteAtomically's contract.
  Result<WriteVerdict> Commit(const WriteContext& context, const WriteOptions& options,
                              WriteBatch batch);

  // The outcomes of the actions, in their order.  REQUIRES: Commit has returned kCommitted or kRefused.
  std::span<ActionOutcome> outcomes() DOLMEN_LIFETIME_BOUND { return outcomes_; }
  std::vector<ConsumedCapacity> Capacity(ReturnConsumedCapacity which, bool of_transaction) const;

 private:
  std::deque<WriteAction> actions_;  // they stay where they are made
  std::vector<const WriteAction*> pointers_;
  std::vector<ActionOutcome> outcomes_;
};

}  // namespace dolmen::engine
