// A copy of the changes of a table, by its stream.

#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "command/database_command.h"
#include "dolmen/streams.h"

namespace dolmen::command {

// The functions that a follower calls.
struct FollowHooks {
  std::function<bool()> interrupted = {};
  std::function<void()> pause = {};  // before the next attempt
  // Gets the number of changes copied so far, and the newest error or success.
  std::function<void(std::uint64_t changes, const Status& error)> on_state = {};
};

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

  // Copies all changes that were acknowledged before the call. Waits while a process that was killed
  // seems to have the subscription, and while the service cannot be reached. Fails as
  // Subscription::Deliver and the writes do, and with:
  // - kTrimmedDataAccess: the stream has lost changes.
  // - the error that has not passed when `interrupted` returned true.
  Status CatchUp(const FollowHooks& hooks);

  // Copies changes until `interrupted` returns true, and then all changes that were acknowledged before
  // that moment. Fails as CatchUp does.
  Status Run(const FollowHooks& hooks);

  // Returns the number of changes that this object has copied.
  std::uint64_t changes() const { return changes_; }

 private:
  explicit ChangeFollower(Subscription subscription) : subscription_(std::move(subscription)) {}

  Subscription subscription_;
  std::uint64_t changes_ = 0;
};

}  // namespace dolmen::command
