#include "command/change_follower.h"

#include <utility>

#include "command/text.h"
#include "dolmen/internal/status_macros.h"

namespace dolmen::command {
namespace {

bool HasNewImages(const TableDescription& table) {
  const auto& stream = table.stream_specification;
  return stream && stream->enabled &&
         (stream->view_type == StreamViewType::kNewImage ||
          stream->view_type == StreamViewType::kNewAndOldImages);
}

// A process that was killed has its subscription for some seconds: kResourceInUse.
bool MayPass(const Status& status) {
  return status.code() == StatusCode::kServiceUnavailable ||
         status.code() == StatusCode::kInternalServerError ||
         status.code() == StatusCode::kResourceInUse;
}

Status Apply(const StreamRecord& record, const Table& to) {
  if (record.event_name == EventName::kRemove) {
    DOLMEN_ASSIGN_OR_RETURN(Item key, record.keys.Copy());
    return to.DeleteItem({.key = std::move(key)}).status();
  }
  if (!record.new_image) {
    return Status::Validation("a record of the stream has no new image: use --restart");
  }
  DOLMEN_ASSIGN_OR_RETURN(Item item, record.new_image->Copy());
  return to.PutItem({.item = std::move(item)}).status();
}

}  // namespace

Result<ChangeFollower> ChangeFollower::Start(const OpenedTable& from, const Table& to,
                                             const std::string& name, bool restart) {
  if (!HasNewImages(from.description)) {
    return Status::Validation(
        "--follow needs a stream of the table " + Printable(from.description.name) +
        " with new images: enable it (aws dynamodb update-table --stream-specification "
        "StreamEnabled=true,StreamViewType=NEW_IMAGE)");
  }
  if (restart) {
    const Status deleted = from.table.Unsubscribe(name);
    if (!deleted.ok() && deleted.code() != StatusCode::kResourceNotFound) return deleted;
  }
  DOLMEN_ASSIGN_OR_RETURN(
      Subscription subscription,
      from.table.Subscribe(
          {.name = name, .start = {.type = ShardIteratorType::kLatest}, .in_background = false},
          [to](const StreamRecord& record) { return Apply(record, to); }));
  return ChangeFollower(std::move(subscription));
}

Status ChangeFollower::CatchUp(const FollowHooks& hooks) {
  for (;;) {
    const Result<std::size_t> delivered = subscription_.Deliver();
    if (delivered.ok()) changes_ += *delivered;
    hooks.on_state(changes_, delivered.status());
    if (delivered.ok()) return {};
    if (delivered.status().code() == StatusCode::kTrimmedDataAccess) {
      return Status::TrimmedDataAccess(
          "the stream no longer has all changes since the last run: use --restart");
    }
    if (hooks.interrupted() || !MayPass(delivered.status())) return delivered.status();
    hooks.pause();
  }
}

Status ChangeFollower::Run(const FollowHooks& hooks) {
  for (bool is_last = false; !is_last;) {
    is_last = hooks.interrupted();
    const std::uint64_t before = changes_;
    DOLMEN_RETURN_IF_ERROR(CatchUp(hooks));
    if (changes_ == before && !is_last) hooks.pause();
  }
  return {};
}

}  // namespace dolmen::command
