// Updates that name their entity once.
//
//   const Result<Room> updated = table.Update(Room{.hotel_id = "h1", .number = 101})
//                                    .Set<&Room::note>("quiet")
//                                    .If(AttrOf<&Room::price>() < 100, "the room is too expensive")
//                                    .Commit();

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <utility>

#include "dolmen/entity/changes.h"
#include "dolmen/entity/item.h"
#include "dolmen/entity/request_sender.h"
#include "dolmen/entity/send_write.h"

namespace dolmen {

namespace entity {

// Sends the update of the entity with the key, and returns the updated entity.
template <typename T>
Result<T> SendUpdateOf(const RequestSender& sender, const T& key, const ChangeList& changes) {
  OwnedStruct updated;
  Status sent = SendUpdate(sender, kSpec<T>, &key, changes, &updated);
  if (!sent.ok()) return sent;
  T& value = *static_cast<T*>(updated.get());
  HideMembers(kSpec<T>, &value);
  return std::move(value);
}

}  // namespace entity

// An update under construction; EntityTable::Update creates it. ChangeMethods (changes.h) add the
// changes and conditions, and Commit sends the update.
//
// A value type. Several threads must not change one object at the same time.
template <typename T>
class EntityUpdate : public ChangeMethods<T, EntityUpdate<T>> {
 public:
  EntityUpdate(entity::RequestSender sender, T key)
      : sender_(std::move(sender)), key_(std::move(key)) {}

  // Sends the update, as EntityTable::Update with the same changes. Returns the whole entity as it
  // is after the update, or an error of that function. Can be called again.
  [[nodiscard]] Result<T> Commit() const {
    return entity::SendUpdateOf(sender_, key_, this->list());
  }

  // Sends the update, and returns a success in place of an error with this code (Status::Ignoring).
  Status CommitIgnoring(StatusCode code) const {
    return entity::SendUpdate(sender_, entity::kSpec<T>, &key_, this->list(), nullptr)
        .Ignoring(code);
  }

 private:
  entity::RequestSender sender_;
  T key_;
};

}  // namespace dolmen

#include "dolmen/internal/show_macros.h"
