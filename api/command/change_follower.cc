#include "command/change_follower.h"

#include <optional>
#include <utility>

#include "command/change_writer.h"
#include "command/text.h"
#include "dolmen/uuid.h"
#include "engine/base/status_macros.h"

namespace dolmen::command {
namespace {

constexpr const char* kId = "id";
constexpr const char* kStream = "stream";

std::string SubscriptionName(const std::string& id) { return "dolmen-copy-" + id; }

bool HasNewImages(const TableDescription& table) {
  const auto& stream = table.stream_specification;
  return stream && stream->enabled &&
         (stream->view_type == StreamViewType::kNewImage ||
          stream->view_type == StreamViewType::kNewAndOldImages);
}

Status CheckNewImages(const TableDescription& table) {
  if (HasNewImages(table)) return {};
  return Status::Validation("--follow needs a stream of the table " + Printable(table.name) +
                            " with new images: enable it (aws dynamodb update-table "
                            "--stream-specification "
                            "StreamEnabled=true,StreamViewType=NEW_IMAGE)");
}

Status ChangesLost(const std::string& reason) {
  return Status::TrimmedDataAccess(
      reason +
      ", so changes are lost: delete the table in TO or choose another name with --to-table, and "
      "copy again");
}

Status CheckIsEmpty(const OpenedTable& to) {
  ScanInput input{.limit = 1};
  ScanOutput page;
  do {
    DOLMEN_RETURN_IF_ERROR(to.table.Scan(input, &page));
    if (page.size() > 0) {
      return Status::Validation(
          "the table " + Printable(to.description.name) +
          " in TO has items, of which --follow would keep those that FROM has deleted: delete the "
          "table or choose another name with --to-table");
    }
    input.exclusive_start_key = page.last_evaluated_key();
  } while (!input.exclusive_start_key.empty());
  return {};
}

// A process that was killed has its subscription for some seconds: kResourceInUse.
bool MayPass(StatusCode code) {
  switch (code) {
    case StatusCode::kServiceUnavailable:
    case StatusCode::kInternalServerError:
    case StatusCode::kResourceInUse:
    case StatusCode::kProvisionedThroughputExceeded:
    case StatusCode::kThrottling:
    case StatusCode::kRequestLimitExceeded:
    case StatusCode::kLimitExceeded:
      return true;
    default:
      return false;
  }
}

}  // namespace

ChangeFollower::ChangeFollower(FollowInput input, std::string id)
    : input_(std::move(input)),
      id_(std::move(id)),
      state_(std::make_unique<State>(State{.to = input_.to, .parallel = input_.parallel})) {}

Result<ChangeFollower> ChangeFollower::Start(FollowInput input, const FollowHooks& hooks) {
  DOLMEN_RETURN_IF_ERROR(CheckNewImages(input.from.description));
  const std::optional<Map> stored = input.checkpoints->Read(input.name);
  const std::optional<std::string> id = stored ? TextIn(*stored, kId) : std::nullopt;
  const bool resumes = id && !input.restart;
  ChangeFollower follower(std::move(input), resumes ? *id : NewUuid());
  const std::string& stream = follower.input_.from.description.latest_stream_arn;
  if (resumes) {
    if (TextIn(*stored, kStream) != stream) return ChangesLost("the stream of FROM was replaced");
  } else {
    DOLMEN_RETURN_IF_ERROR(CheckIsEmpty(follower.input_.to));
    if (id) {
      DOLMEN_RETURN_IF_ERROR(ChangeFollower(follower.input_, *id).Forget());
    }
  }
  DOLMEN_RETURN_IF_ERROR(follower.Subscribe(resumes));
  // Only a subscription that has delivered is surely ours, with a position in the stream.
  const Status caught = follower.CatchUp(hooks);
  if (resumes && caught.code() == StatusCode::kValidation && !follower.state_->refuses) {
    return ChangesLost("FROM no longer has the position of the earlier run");
  }
  DOLMEN_RETURN_IF_ERROR(caught);
  if (!resumes) {
    DOLMEN_RETURN_IF_ERROR(follower.input_.checkpoints->Write(
        follower.input_.name, {{kId, follower.id_}, {kStream, stream}}));
  }
  return follower;
}

Status ChangeFollower::Subscribe(bool resumes) {
  // A copy that resumes needs the stored position: a start without a number is invalid, and is ignored
  // if there is a stored position.
  const auto start = resumes ? ShardIteratorType::kAtSequenceNumber : ShardIteratorType::kLatest;
  const Table& from = input_.from.table;
  auto subscription = from.backend()->Subscribe(
      from, {.name = SubscriptionName(id_), .start = {.type = start}, .in_background = false},
      internal::PageHandler([state = state_.get()](const std::vector<const StreamRecord*>& page) {
        return state->Handle(page);
      }));
  if (resumes && subscription.status().code() == StatusCode::kValidation) {
    return ChangesLost("FROM no longer has the position of the earlier run");
  }
  if (!subscription.ok()) return subscription.status();
  subscription_ = *std::move(subscription);
  return {};
}

Status ChangeFollower::Forget() const {
  // No run resumes after the checkpoint is removed. A subscription that outlives a crash does no harm.
  DOLMEN_RETURN_IF_ERROR(input_.checkpoints->Remove(input_.name));
  return input_.from.table.Unsubscribe(SubscriptionName(id_))
      .Ignoring(StatusCode::kResourceNotFound);
}

Status ChangeFollower::State::Handle(const std::vector<const StreamRecord*>& page) {
  refuses = true;
  for (const StreamRecord* const record : page) {
    if (record->event_name != EventName::kRemove && !record->new_image) {
      return ChangesLost("a record of the stream has no new image");
    }
  }
  DOLMEN_RETURN_IF_ERROR(WriteChanges(to, page, parallel, *stops));
  refuses = false;
  changes += page.size();
  hooks->on_state(changes, {});
  return {};
}

Status ChangeFollower::CatchUp(const FollowHooks& hooks) {
  return CatchUpUntil(hooks, hooks.interrupted);
}

Status ChangeFollower::CatchUpUntil(const FollowHooks& hooks, const Stops& stops) {
  state_->hooks = &hooks;
  state_->stops = &stops;
  for (int pauses = 0;; ++pauses) {
    state_->refuses = false;
    const Status delivered = subscription_->Deliver().status();
    if (!delivered.ok() && stops()) return delivered;
    hooks.on_state(changes(), delivered);
    if (delivered.ok()) return {};
    if (delivered.code() == StatusCode::kTrimmedDataAccess && !state_->refuses) {
      return ChangesLost("the stream no longer has all changes since the last run");
    }
    const bool is_limited = delivered.code() == StatusCode::kResourceInUse || hooks.interrupted();
    if (!is_limited) pauses = 0;
    if (!MayPass(delivered.code()) || (is_limited && pauses >= hooks.pauses_max)) return delivered;
    hooks.pause();
  }
}

Status ChangeFollower::Run(const FollowHooks& hooks) {
  while (!hooks.interrupted()) {
    const std::uint64_t before = changes();
    const Status caught = CatchUp(hooks);
    if (!caught.ok() && !hooks.interrupted()) return caught;
    if (changes() == before) hooks.pause();
  }
  for (int quiet = 0; quiet <= hooks.quiet_pauses;) {
    const std::uint64_t before = changes();
    DOLMEN_RETURN_IF_ERROR(CatchUpUntil(hooks, hooks.ends_now));
    quiet = changes() == before ? quiet + 1 : 0;
    if (hooks.ends_now()) return Status::Storage("interrupted");
    if (quiet <= hooks.quiet_pauses) hooks.pause();
  }
  return CheckStream();
}

Status ChangeFollower::CheckStream() const {
  const OpenedTable& from = input_.from;
  DOLMEN_ASSIGN_OR_RETURN(const TableDescription& now,
                          from.database.DescribeTable(from.description.name, ContentSizes::kOmit));
  if (now.latest_stream_arn == from.description.latest_stream_arn && HasNewImages(now)) return {};
  return ChangesLost("the stream of FROM was disabled or replaced");
}

}  // namespace dolmen::command
