// Subscriptions to the changes of one entity.
//
//   auto subscription = table.Subscribe<Booking>(
//       {.name = "notifier"}, [](const EntityChange<Booking>& change) {
//         if (!change.before && change.after) Greet(change.after->guest_id);
//         return Status();
//       });

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <optional>
#include <utility>

#include "dolmen/entity/definition.h"
#include "dolmen/entity/entity_matcher.h"
#include "dolmen/entity/item.h"
#include "dolmen/streams.h"
#include "dolmen/subscription.h"

namespace dolmen {

// One change of one entity.
template <typename T>
struct EntityChange {
  // The entity before the change; nothing if it was created, or if the stream has no old images.
  std::optional<T> before = {};

  // The entity after the change; nothing if it was removed, or if the stream has no new images.
  std::optional<T> after = {};

  // The record of the stream. Valid only during the call of the handler.
  const StreamRecord* record = nullptr;
};

namespace entity {

// Reads the image as a T. Leaves `*value` empty if there is no image, or if it belongs to another
// entity.
// - kCorruption: the image cannot be read as a T.
template <typename T>
Status ReadImage(const std::optional<StoredItem>& image, std::optional<T>* value) {
  if (!image) return {};
  const Result<std::optional<std::size_t>> found = EntityMatcher({&kSpec<T>}).Find(image->view());
  if (!found.ok() || !*found) return found.status();
  return DecodeItem(kSpec<T>, image->view(), &value->emplace());
}

// Returns the handler of records that passes the changes of T to `handler`.
template <typename T, typename Handler>
RecordHandler HandleChanges(Handler handler) {
  return [handler = std::move(handler)](const StreamRecord& record) mutable -> Status {
    EntityChange<T> change = {.record = &record};
    Status status = ReadImage(record.old_image, &change.before);
    if (status.ok()) status = ReadImage(record.new_image, &change.after);
    if (!status.ok() || (!change.before && !change.after)) return status;
    return handler(std::as_const(change));
  };
}

}  // namespace entity

}  // namespace dolmen

#include "dolmen/internal/show_macros.h"
