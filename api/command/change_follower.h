// A copy of the changes of a table, by its stream.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "command/checkpoint_store.h"
#include "command/database_command.h"
#include "dolmen/streams.h"
#include "engine/backend.h"

namespace dolmen::command {

// The functions and limits of a follower.
struct FollowHooks {
  // Several threads may call this function and `ends_now` at the same time.
  std::function<bool()> interrupted = {};
  // Returns true if the last pass of a run must end early.
  std::function<bool()> ends_now = [] { return false; };
  std::function<void()> pause = {};  // before the next attempt
  // Gets the number of changes copied so far, and the newest error or success.
  std::function<void(std::uint64_t changes, const Status& error)> on_state = {};
  // The number of pauses after which the follower gives up if another process still has the
  // subscription or, in the last pass, if an error has not passed.
  int pauses_max = 0;
  // The number of pauses without a change after which the last pass ends. A service shows a record of
  // its stream some seconds after it has acknowledged the write.
  int quiet_pauses = 0;
};

// The parts of a copy that follows.
struct FollowInput {
  OpenedTable from;
  OpenedTable to;
  CheckpointStore* checkpoints;  // those of the table `to`; must outlive the follower
  std::string name;              // of the checkpoint
  bool restart = false;          // delete the checkpoint and the subscription of an earlier run
  std::size_t parallel = 8;      // requests at a time
};

// A subscription to a table's stream that writes the changes to another table: of each item in a page of
// the stream the newest image, or its deletion. Items are written side by side. The position moves past
// the page when the other table has acknowledged all of them. To write a change again does no harm,
// because the later changes of the item follow. So a copy loses nothing that begins the subscription
// first, then copies the items, and then copies the changes.
//
// The process asks for the lease of its subscription before each 200 records. If it is suspended within
// them and another process takes over, its last writes can be older than those of the other process.
//
// A checkpoint in the target binds the copy to its subscription: it has the random id that is a part of
// the subscription's name, and the ARN of the stream. Two copies therefore never share a position.
//
// If changes are lost, the functions fail with kTrimmedDataAccess, and no later run can resume.
class ChangeFollower {
 public:
  // Begins the subscription, or resumes it if there is a checkpoint. Delivers the changes so far. A new
  // subscription begins with the next change. Before Start returns, this process owns the subscription,
  // its position is stored, and the checkpoint is written. Fails as Table::Subscribe and CatchUp do,
  // and with:
  // - kValidation: the table has no stream with new images, or a copy that begins would leave items in
  //   the target that the source does not have, because the target has items.
  // - kTrimmedDataAccess: the subscription or the stream of the earlier run no longer exists.
  static Result<ChangeFollower> Start(FollowInput input, const FollowHooks& hooks);

  // Copies all changes that were acknowledged before the call. Waits while another process has the
  // subscription, such as one that was killed, and while the service cannot be reached. Fails as
  // Subscription::Deliver and the writes do, and with:
  // - kTrimmedDataAccess: the stream has lost changes.
  // - kStorage: `interrupted` has returned true. The position is before the page of the first change
  //   that was not copied.
  // - the error that has not passed when `interrupted` returned true.
  Status CatchUp(const FollowHooks& hooks);

  // Copies changes until `interrupted` returns true, and then all changes that were acknowledged before
  // that moment. Fails as CatchUp does, with `ends_now` in place of `interrupted`.
  Status Run(const FollowHooks& hooks);

  // Returns the number of changes that this object has copied.
  std::uint64_t changes() const { return state_->changes; }
  // Returns the random id that the checkpoint has.
  const std::string& id() const { return id_; }

 private:
  using Stops = std::function<bool()>;
  // The state that the handler of the subscription uses.
  struct State {
    OpenedTable to;
    std::size_t parallel = 1;
    const FollowHooks* hooks = nullptr;
    const Stops* stops = nullptr;
    std::uint64_t changes = 0;
    bool refuses = false;  // the handler has refused the latest page

    Status Handle(const std::vector<const StreamRecord*>& page);
  };

  ChangeFollower(FollowInput input, std::string id);

  Status Subscribe(bool resumes);
  // Deletes the subscription and the checkpoint of an earlier run.
  Status Forget() const;
  Status CatchUpUntil(const FollowHooks& hooks, const Stops& stops);
  // Fails if the source no longer has the stream that the copy follows.
  Status CheckStream() const;

  FollowInput input_;
  std::string id_;
  std::unique_ptr<State> state_;
  std::unique_ptr<internal::Subscriber> subscription_;  // declared last: its handler uses the state
};

}  // namespace dolmen::command
