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

bool MayPass(const Status& status) {
  return status.code() == StatusCode::kServiceUnavailable ||
         status.code() == StatusCode::kInternalServerError;
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

Status ChangeFollower::Run(
    const std::function<bool()>& interrupted, const std::function<void()>& pause,
    const std::function<void(std::uint64_t changes, const Status& error)>& on_state) {
  std::uint64_t changes = 0;
  for (;;) {
    const bool is_last = interrupted();
    const Result<std::size_t> delivered = subscription_.Deliver();
    if (delivered.ok()) changes += *delivered;
    on_state(changes, delivered.status());
    if (!delivered.ok() && (is_last || !MayPass(delivered.status()))) return delivered.status();
    if (is_last) return {};
    if (!delivered.ok() || *delivered == 0) pause();
  }
}

}  // namespace dolmen::command
