// Tests of subscriptions to the changes of one entity.

#include "dolmen/entity/subscribe.h"

#include <dolmen/entity.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <utility>
#include <vector>

#include "tests/entity/fixture.h"

namespace dolmen::hotel {
namespace {

class SubscribeTest : public EntityTest {
 protected:
  using RoomChange = std::pair<std::optional<Room>, std::optional<Room>>;

  const EntityTable streaming_ =
      Value(EntityTable::Open(database_, {.name = "streaming",
                                          .indexes = {"GSI1"},
                                          .stream_specification = StreamSpecification{
                                              .view_type = StreamViewType::kNewAndOldImages}}));
  std::vector<RoomChange> changes_;

  Result<Subscription> Subscribe() {
    return streaming_.Subscribe<Room>(
        {.name = "test", .in_background = false}, [&](const EntityChange<Room>& change) {
          changes_.emplace_back(change.before, change.after);
          EXPECT_EQ(change.record->keys.view()["PK"].AsString(), "HOTEL#h1");
          return Status();
        });
  }
};

TEST_F(SubscribeTest, PassesTheEntityBeforeAndAfterEachChange) {
  Subscription subscription = Value(Subscribe());
  const Room room = TheRoom();
  Value(streaming_.Create(Hotel{.id = "h1", .name = "Rheinblick"}));
  Value(streaming_.Create(room));
  Room loud = room;
  loud.note = "loud";
  Value(streaming_.Put(loud));
  EXPECT_THAT(streaming_.Remove(room), IsOk());
  EXPECT_THAT(subscription.Deliver(), IsOkAndHolds(4U));
  EXPECT_THAT(changes_, ElementsAre(RoomChange{std::nullopt, room}, RoomChange{room, loud},
                                    RoomChange{loud, std::nullopt}));
}

// The handler would never be called, because the records have no images.
TEST_F(SubscribeTest, AStreamWithoutImagesIsRejected) {
  const auto open = [&](const char* name, StreamViewType view_type) {
    return Value(EntityTable::Open(
        database_,
        {.name = name, .stream_specification = StreamSpecification{.view_type = view_type}}));
  };
  const auto ignore = [](const EntityChange<Room>&) { return Status(); };
  const SubscribeInput input = {.name = "test", .in_background = false};
  EXPECT_THAT(open("keys", StreamViewType::kKeysOnly).Subscribe<Room>(input, ignore).status(),
              StatusIs(kValidation, HasSubstr("keys has only keys")));
  EXPECT_THAT(open("old", StreamViewType::kOldImage).Subscribe<Room>(input, ignore).status(),
              IsOk());
  EXPECT_THAT(table().Subscribe<Room>(input, ignore).status(),
              StatusIs(kValidation, HasSubstr("stream")));
}

TEST_F(SubscribeTest, AnImageThatCannotBeReadIsAnError) {
  Subscription subscription = Value(Subscribe());
  Item damaged = Value(ToItem(TheRoom()));
  damaged.insert_or_assign("price", "cheap");
  Value(streaming_.table().PutItem({.item = damaged}));
  EXPECT_THAT(subscription.Deliver(), StatusIs(kCorruption, Says("room", "price", "has type S")));
}

}  // namespace
}  // namespace dolmen::hotel
