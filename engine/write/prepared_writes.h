// The actions of a request that writes several items.

#pragma once

#include <array>
#include <boost/container/small_vector.hpp>
#include <forward_list>
#include <optional>
#include <span>
#include <vector>

#include "dolmen/consumed_capacity.h"
#include "dolmen/result.h"
#include "engine/schema/live_table.h"
#include "engine/write/atomic_write.h"
#include "engine/write/prepare.h"

namespace dolmen::engine {

// The actions of one request, which become one atomic write. For one thread.
class PreparedWrites {
 public:
  // `hide_expired` is the setting of the whole request. It applies to the actions that have no
  // setting of their own.
  explicit PreparedWrites(std::optional<bool> hide_expired = {}) : hide_expired_(hide_expired) {}

  // Prepares an action for `input` and the current schema of `table`, and appends it to actions().
  // - kResourceNotFound: the table is dropped. No action is appended.
  // - kValidation: Prepare rejects the request. The action is appended; it must not be committed.
  // REQUIRES: the table and the request outlive this object.
  template <typename Input>
  Status Add(const LiveTable& table, const Input& input) {
    const TableSchema* const schema = table.schema();
    if (schema == nullptr) return NoSuchTable();
    const std::size_t position = pointers_.size();
    WriteAction& action = position < first_.size() ? first_[position] : others_.emplace_front();
    action.live = &table;
    Status prepared = Prepare(*schema, input, &action);
    if (!action.hide_expired) action.hide_expired = hide_expired_;
    pointers_.push_back(&action);
    return prepared;
  }

  // Returns true if two of the actions are on the same row. Ignores actions without a row.
  bool HasDuplicates() const;

  // Returns the actions in the order in which they were added.
  std::span<const WriteAction* const> actions() const DOLMEN_LIFETIME_BOUND {
    return {pointers_.data(), pointers_.size()};
  }

  // Applies the actions with WriteAtomically (atomic_write.h), and keeps their outcomes.
  Result<WriteVerdict> Commit(const WriteContext& context, const WriteOptions& options,
                              WriteBatch&& batch);

  // Returns the outcomes of the actions, in their order.
  // REQUIRES: Commit has returned kCommitted or kRefused.
  std::span<ActionOutcome> outcomes() DOLMEN_LIFETIME_BOUND {
    return {outcomes_.data(), outcomes_.size()};
  }
  // Returns the capacity that the actions have consumed, by table.
  // REQUIRES: Commit has returned kCommitted.
  std::vector<ConsumedCapacity> Capacity(ReturnConsumedCapacity which, bool of_transaction) const;

 private:
  std::optional<bool> hide_expired_;
  // Containers that never move their elements, because an action cannot be moved.
  std::array<WriteAction, kUsualActions> first_;
  std::forward_list<WriteAction> others_;
  boost::container::small_vector<const WriteAction*, kUsualActions> pointers_;
  boost::container::small_vector<ActionOutcome, kUsualActions> outcomes_;
};

}  // namespace dolmen::engine
