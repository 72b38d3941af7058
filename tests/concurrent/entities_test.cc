// Tests of entities that several threads write: a unique value has one owner, an edge has both of its
// directions, every addition to a counter counts, and a request or a token takes effect once. A
// migration loses no write.

#include <dolmen/entity.h>
#include <dolmen/entity/counter.h>
#include <dolmen/entity/idempotent.h>
#include <dolmen/entity/token.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tests/concurrent/threads.h"
#include "tests/entity/fixture.h"

namespace dolmen::hotel {
namespace {

using std::chrono::hours;
using test::kThreads;
using test::RunTogether;

struct CardOwner {
  std::string id = {};
  std::optional<int> card = {};
};
constexpr auto DescribeEntity(const CardOwner*) {
  return DefineEntity<CardOwner>(
             "cardOwner",
             {Attribute<&CardOwner::id>("ownerId"), Attribute<&CardOwner::card>("card")},
             {PrimaryKey("OWNER#{ownerId}", "OWNER")})
      .Unique<&CardOwner::card>("cardClaim");
}

// A guest who follows a hotel, in the partition of the guest and in that of the hotel.
struct HotelFollower {
  std::string hotel = {};
  std::string guest = {};
  int nights = 0;
};
constexpr auto DescribeEntity(const HotelFollower*) {
  return DefineEntity<HotelFollower>(
      "hotelFollower",
      {Attribute<&HotelFollower::hotel>("hotel"), Attribute<&HotelFollower::guest>("guest"),
       Attribute<&HotelFollower::nights>("nights")},
      {PrimaryKey("HOTEL#{hotel}", "FOLLOWER#{guest}")});
}
struct FollowedHotel {
  std::string guest = {};
  std::string hotel = {};
  int nights = 0;
};
constexpr auto DescribeEntity(const FollowedHotel*) {
  return DefineEntity<FollowedHotel>(
             "followedHotel",
             {Attribute<&FollowedHotel::guest>("guest"), Attribute<&FollowedHotel::hotel>("hotel"),
              Attribute<&FollowedHotel::nights>("nights")},
             {PrimaryKey("GUEST#{guest}", "FOLLOWS#{hotel}")})
      .Edge<HotelFollower>();
}

class EntityConcurrencyTest : public EntityTest {
 protected:
  // Returns the partition key of the owner of the card, or "" if no item claims the card.
  std::string OwnerOfCard(int card) const {
    const Item claim = Stored(Key("UNIQUE#cardClaim#" + std::to_string(card), "UNIQUE"));
    return claim.empty() ? "" : *claim.at("ownerPK").get_if<std::string>();
  }
};

TEST_F(EntityConcurrencyTest, OnlyOneOfManyThreadsTakesAUniqueValue) {
  constexpr int kValues = 20;
  for (std::size_t i = 0; i < kThreads; ++i) {
    Value(table().Create(CardOwner{.id = std::to_string(i)}));
  }
  RunTogether(kThreads, [&](std::size_t i) {
    for (int card = 0; card < kValues; ++card) {
      const Status set = table()
                             .Update(CardOwner{.id = std::to_string(i)})
                             .Set<&CardOwner::card>(card % 5)
                             .Commit()
                             .status();
      EXPECT_TRUE(set.ok() || set.code() == kInUse) << set.ToString();
    }
  });
  std::size_t owned = 0;
  for (std::size_t i = 0; i < kThreads; ++i) {
    const CardOwner owner = Value(table().Get(CardOwner{.id = std::to_string(i)}));
    if (!owner.card) continue;
    ++owned;
    EXPECT_EQ(OwnerOfCard(*owner.card), "OWNER#" + owner.id);
  }
  EXPECT_EQ(Value(table().table().Scan({})).size(), kThreads + owned);
}

TEST_F(EntityConcurrencyTest, AnEdgeLosesNoDirection) {
  constexpr int kWrites = 30;
  RunTogether(kThreads, [&](std::size_t i) {
    for (int step = 0; step < kWrites; ++step) {
      const int nights = static_cast<int>(i);
      const FollowedHotel edge = {
          .guest = std::to_string(step % 3), .hotel = "h", .nights = nights};
      if ((nights + step) % 3 == 0) {
        table().Remove(edge).IgnoreError();
      } else {
        EXPECT_THAT(table().Put(edge), IsOk());
      }
    }
  });
  const MigrationProgress verified = Value(table().VerifyEdges<FollowedHotel>());
  EXPECT_EQ(verified.items_failed, 0U);
  EXPECT_EQ(verified.items_read % 2, 0U);
}

TEST_F(EntityConcurrencyTest, ACounterCountsAllAdditions) {
  constexpr int kAdditions = 50;
  RunTogether(kThreads, [&](std::size_t) {
    const Counter counter(table(), "visits");
    for (int i = 0; i < kAdditions; ++i) EXPECT_THAT(counter.Add(1), IsOk());
  });
  EXPECT_THAT(Counter(table(), "visits").Value(),
              IsOkAndHolds(static_cast<int>(kThreads) * kAdditions));
}

TEST_F(EntityConcurrencyTest, OneOfManyEqualRequestsWrites) {
  constexpr int kRequests = 20;
  Value(table().Create(TheRoom()));
  std::atomic<int> committed = 0;
  RunTogether(kThreads, [&](std::size_t) {
    for (int i = 0; i < kRequests; ++i) {
      const auto raise = table().Transact().Update(TheRoom(), Changes<Room>().Add<&Room::price>(1));
      const std::string key = "request " + std::to_string(i);
      committed += Value(CommitOnce(table(), raise, key, hours(1))) ? 1 : 0;
    }
  });
  EXPECT_EQ(committed, kRequests);
  EXPECT_EQ(Value(table().Get(TheRoom())).price, TheRoom().price + kRequests);
}

TEST_F(EntityConcurrencyTest, OneOfManyUsersUsesAToken) {
  const Tokens invitations(table(), "invitation");
  const std::string secret = Value(invitations.Issue("project 7", hours(1)));
  std::atomic<int> used = 0;
  RunTogether(kThreads, [&](std::size_t) { used += invitations.Use(secret).ok() ? 1 : 0; });
  EXPECT_EQ(used, 1);
}

// Writers change and remove rooms while a migration runs.
TEST_F(EntityConcurrencyTest, AMigrationLosesNoWrite) {
  constexpr int kRooms = 250;
  constexpr int kAdditions = 20;
  const auto room_of = [](int number) {
    return Room{.hotel_id = "h" + std::to_string(number % 7), .number = number, .price = number};
  };
  for (int number = 1; number <= kRooms; ++number) {
    Item item = Value(ToItem(room_of(number)));
    item.erase("GSI1PK");
    item.erase("GSI1SK");
    Store(item);
  }
  MigrationProgress progress;
  RunTogether(2, [&](std::size_t i) {
    if (i == 0) {
      const auto note = [](Room& room) { room.note = "seen"; };
      progress = Value(table().Migrate<Room>(note, {.share = 1}));
      return;
    }
    for (int round = 0; round < kAdditions; ++round) {
      for (int number = 1; number <= kRooms; number += 10) {
        Value(table().Update(room_of(number), Changes<Room>().Add<&Room::price>(1)));
      }
    }
    for (int number = 2; number <= kRooms; number += 10) {
      EXPECT_THAT(table().Remove(room_of(number)), IsOk());
    }
  });
  EXPECT_EQ(progress.items_failed, 0U);
  const std::vector<Room> rooms = Value(table().Scan<Room>().All());
  EXPECT_EQ(rooms.size(), kRooms - kRooms / 10U);
  for (const Room& room : rooms) {
    EXPECT_EQ(room.note, "seen") << room.number;
    EXPECT_EQ(room.price, room.number + (room.number % 10 == 1 ? kAdditions : 0)) << room.number;
  }
  EXPECT_EQ(Value(table().Scan<Room>("GSI1").All()).size(), rooms.size());
}

}  // namespace
}  // namespace dolmen::hotel
