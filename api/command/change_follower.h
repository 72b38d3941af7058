// A copy of the changes of a table, by its stream.

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "command/database_command.h"
#include "dolmen/streams.h"

namespace dolmen::command {

// A subscription to a table's stream that writes each change to another table: the newest image of the
// item, or its deletion. To write a change again does no harm, because the later changes of the item
// follow. So a copy loses nothing that begins the subscription first, then copies the items, and then
// copies the changes.
class ChangeFollower {
 public:
  // Begins or resumes the subscription `name`. If it is new, it begins with the next change, and its
  // position is stored before Start returns. With `restart` an earlier subscription is deleted first.
  // Fails as Table::Subscribe does, and with:
  // - kValidation: the table has no stream with new images.
  // REQUIRES: `to` outlives this object.
  static Result<ChangeFollower> Start(const OpenedTable& from, const Table& to,
                                      const std::string& name, bool restart);

  // Copies changes until `interrupted` returns true, and then all changes that were acknowledged before
  // that moment. Calls `pause` when there is nothing to do or the service cannot be reached, and
  // `on_state` with the number of changes and the newest error, or success. Fails as
  // Subscription::Deliver and the writes do, unless the error may pass.
  Status Run(const std::function<bool()>& interrupted, const std::function<void()>& pause,
             const std::function<void(std::uint64_t changes, const Status& error)>& on_state);

 private:
  explicit ChangeFollower(Subscription subscription) : subscription_(std::move(subscription)) {}

  Subscription subscription_;
};

}  // namespace dolmen::command
