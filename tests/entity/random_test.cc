// Tests with random entities: converting an entity to an item and back does not change it, and a
// table of entities behaves like a std::map.

#include "tests/support/random.h"

#include <dolmen/entity.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/entity/fixture.h"

namespace dolmen::hotel {
namespace {

using std::chrono::milliseconds;
using test::B;
using test::Random;

// An entity with a member of every kind.
struct Everything {
  std::string id = {};
  Timestamp day = {};
  std::int16_t small = 0;
  std::uint32_t padded = 0;
  std::int64_t large = 0;
  bool flag = false;
  Number number = {};
  Binary bytes = {};
  RoomKind kind = {};
  Timestamp time = {};
  std::optional<std::string> note = {};
  std::optional<RoomKind> other_kind = {};
  StringSet texts = {};
  NumberSet numbers = {};
  BinarySet blobs = {};
  std::vector<std::int64_t> list = {};
  std::map<std::string, Address> addresses = {};
  std::optional<Address> address = {};

  friend bool operator==(const Everything&, const Everything&) = default;
};
constexpr auto DescribeEntity(const Everything*) {
  using T = Everything;
  return DefineEntity<T>(
      "everything",
      {Attribute<&T::id>("id").InKeyOnly(),
       Attribute<&T::day>("day"),
       Attribute<&T::small>("small").InKeyOnly(),
       Attribute<&T::padded>("padded").InKeyOnly(),
       Attribute<&T::large>("large"),
       Attribute<&T::flag>("flag"),
       Attribute<&T::number>("number"),
       Attribute<&T::bytes>("bytes"),
       Attribute<&T::kind>("kind"),
       Attribute<&T::time>("time"),
       Attribute<&T::note>("note"),
       Attribute<&T::other_kind>("otherKind"),
       Attribute<&T::texts>("texts"),
       Attribute<&T::numbers>("numbers"),
       Attribute<&T::blobs>("blobs"),
       Attribute<&T::list>("list"),
       Attribute<&T::addresses>("addresses"),
       Attribute<&T::address, &Address::street>("street"),
       Attribute<&T::address, &Address::city>("city"),
       Attribute<&T::address, &Address::zip>("zip")},
      {PrimaryKey("E#{id}", "{small:unpadded}#{day:date}#{padded:010}"),
       IndexKey("GSI1", "K#{otherKind}"), IndexKey("GSI2", "C#{city}", "{time}")});
}

std::string RandomText(Random& random, std::size_t least = 0) {
  static const std::vector<std::string> kCharacters = {"a", "B",  "0",  " ",      "/",
                                                       "{", "\"", "\n", "\u00e9", "\U0001F600"};
  std::string text;
  for (std::size_t n = least + random.Below(6); n > 0; --n) text += random.Pick(kCharacters);
  return text;
}

Timestamp RandomTime(Random& random) {
  const auto from = Time("0000-01-01T00:00:00Z").time_since_epoch().count();
  const auto to = Time("9999-12-31T23:59:59.999Z").time_since_epoch().count();
  return Timestamp(milliseconds(random.Between(from, to)));
}

template <typename Integer>
Integer RandomInteger(Random& random) {
  using Limits = std::numeric_limits<Integer>;
  if (random.OneIn(8)) return Limits::min();
  if (random.OneIn(8)) return Limits::max();
  return static_cast<Integer>(random.Next());
}

Number RandomNumber(Random& random) {
  return N(std::to_string(RandomInteger<std::int64_t>(random)) + "E" +
           std::to_string(random.Between(-100, 100)));
}

RoomKind RandomKind(Random& random) { return static_cast<RoomKind>(random.Below(3)); }

Address RandomAddress(Random& random) {
  Address address = {.street = RandomText(random), .city = RandomText(random, 1)};
  if (random.OneIn(2)) address.zip = RandomText(random);
  return address;
}

Everything RandomEverything(Random& random) {
  Everything all = {.id = RandomText(random, 1),
                    .day = RandomTime(random),
                    .small = RandomInteger<std::int16_t>(random),
                    .padded = RandomInteger<std::uint32_t>(random),
                    .large = RandomInteger<std::int64_t>(random),
                    .flag = random.OneIn(2),
                    .number = RandomNumber(random),
                    .bytes = B(RandomText(random)),
                    .kind = RandomKind(random),
                    .time = RandomTime(random)};
  if (random.OneIn(2)) all.note = RandomText(random);
  if (random.OneIn(2)) all.other_kind = RandomKind(random);
  if (random.OneIn(2)) all.address = RandomAddress(random);
  for (std::size_t n = random.Below(4); n > 0; --n) {
    all.texts.insert(RandomText(random));
    all.numbers.insert(RandomNumber(random));
    all.blobs.insert(B(RandomText(random)));
    all.list.push_back(RandomInteger<std::int64_t>(random));
    all.addresses[RandomText(random)] = RandomAddress(random);
  }
  return all;
}

using RandomEntityTest = test::SeededTest;

TEST_F(RandomEntityTest, ConvertingToAnItemAndBackChangesNothing) {
  for (std::size_t step = test::TestSteps(500); step > 0; --step) {
    const Everything all = RandomEverything(random_);
    const Result<Item> item = ToItem(all);
    ASSERT_THAT(item, IsOk());
    ASSERT_THAT(Read<Everything>(*item), IsOkAndHolds(all));
  }
}

// A table of random rooms. It has few hotels and room numbers, so that many writes hit the same
// room.
class RandomTableTest : public test::SeededTest {
 protected:
  using Name = std::pair<std::string, int>;
  using Model = std::map<Name, Room>;

  RandomTableTest()
      : database_(Value(Database::InMemory())),
        table_(Value(EntityTable::Open(database_, {.name = "hotels", .indexes = {"GSI1"}}))) {}

  Room RandomRoom() {
    Room room = {.hotel_id = random_.Pick(hotels_),
                 .number = static_cast<int>(random_.Below(6)),
                 .kind = RandomKind(random_),
                 .price = random_.Between(0, 20)};
    if (random_.OneIn(2)) room.note = RandomText(random_);
    if (random_.OneIn(2)) room.features = {RandomText(random_), RandomText(random_)};
    return room;
  }

  static Name NameOf(const Room& room) { return {room.hotel_id, room.number}; }

  void Create() {
    const Room room = RandomRoom();
    const bool is_new = model_.emplace(NameOf(room), room).second;
    EXPECT_EQ(table_.Create(room).status().code(),
              is_new ? StatusCode::kOk : StatusCode::kResourceInUse);
  }
  void Put() {
    const Room room = RandomRoom();
    model_.insert_or_assign(NameOf(room), room);
    EXPECT_THAT(table_.Put(room), IsOkAndHolds(room));
  }
  void Remove() {
    const Room room = RandomRoom();
    const bool was_there = model_.erase(NameOf(room)) == 1;
    EXPECT_EQ(table_.Remove(room).code(),
              was_there ? StatusCode::kOk : StatusCode::kResourceNotFound);
  }
  void Update() {
    const Room to = RandomRoom();
    const bool or_create = random_.OneIn(3);
    auto changes = Changes<Room>();
    changes.Set<&Room::kind>(to.kind).Set<&Room::price>(to.price).Set<&Room::note>(to.note);
    if (or_create) changes.OrCreate();
    const auto found = model_.find(NameOf(to));
    if (found == model_.end() && !or_create) {
      EXPECT_THAT(table_.Update(to, changes), StatusIs(kNotFound, testing::_));
      return;
    }
    Room& expected =
        model_.try_emplace(NameOf(to), Room{.hotel_id = to.hotel_id, .number = to.number})
            .first->second;
    expected.kind = to.kind;
    expected.price = to.price;
    expected.note = to.note;
    EXPECT_THAT(table_.Update(to, changes), IsOkAndHolds(expected));
  }
  void Step() {
    switch (random_.Below(4)) {
      case 0:
        return Create();
      case 1:
        return Put();
      case 2:
        return Update();
      default:
        return Remove();
    }
  }

  // Expects that the table and its index agree with the model: the rooms of each hotel in order,
  // and the rooms of each kind.
  void ExpectTableIsTheModel() {
    for (const std::string& hotel : hotels_) {
      std::vector<Room> rooms;
      for (const auto& [name, room] : model_) {
        if (name.first == hotel) rooms.push_back(room);
      }
      EXPECT_THAT(table_.Query<Room>().With<&Room::hotel_id>(hotel).All(), IsOkAndHolds(rooms));
    }
    for (const auto& [kind, text] : Spellings(RoomKind())) {
      std::vector<Room> rooms;
      for (const auto& [name, room] : model_) {
        if (room.kind == kind && room.price >= 5) rooms.push_back(room);
      }
      EXPECT_THAT(table_.Query<Room>("GSI1").With<&Room::kind>(kind).AtLeast<&Room::price>(5).All(),
                  IsOkAndHolds(testing::UnorderedElementsAreArray(rooms)))
          << text;
    }
  }

  const std::vector<std::string> hotels_ = {"h", "h1", "h10"};
  Database database_;
  EntityTable table_;
  Model model_;
};

TEST_F(RandomTableTest, ATableAgreesWithAMap) {
  for (std::size_t step = 0; step < test::TestSteps(2000); ++step) {
    Step();
    if (step % 50 == 0) ExpectTableIsTheModel();
    ASSERT_FALSE(HasFailure()) << "step " << step;
  }
  ExpectTableIsTheModel();
}

}  // namespace
}  // namespace dolmen::hotel
