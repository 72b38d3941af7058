// Tests of the rules of attributes that an update obeys, too (Check, Derived), and of attributes that
// reads leave out (Hidden, Project).

#include <dolmen/entity.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "tests/entity/fixture.h"

namespace dolmen::hotel {
namespace {

using testing::SizeIs;

bool IsPhone(const std::string& text) { return text.starts_with('+'); }
bool IsPositive(int number) { return number > 0; }

struct StaffAddress {
  std::string city = {};
  std::string code = {};

  friend bool operator==(const StaffAddress&, const StaffAddress&) = default;
};
bool IsStaffCode(const std::string& text) { return text.size() == 5; }
constexpr auto DescribeAttributes(const StaffAddress*) {
  return DefineAttributes<StaffAddress>(
      {Attribute<&StaffAddress::city>("city"),
       Attribute<&StaffAddress::code>("code").Check<IsStaffCode>("must have 5 characters")});
}

// A member of the staff.
struct Clerk {
  std::string id = {};
  std::string name = {};
  std::optional<std::string> phone = {};
  int hours = 40;
  int rate = 10;
  int wage = 0;
  std::string password_hash = "none";
  std::optional<StaffAddress> address = {};

  friend bool operator==(const Clerk&, const Clerk&) = default;
};
int WageOf(const Clerk& clerk) { return clerk.hours * clerk.rate; }
constexpr auto DescribeEntity(const Clerk*) {
  return DefineEntity<Clerk>(
      "clerk",
      {Attribute<&Clerk::id>("clerkId"), Attribute<&Clerk::name>("name").Required(),
       Attribute<&Clerk::phone>("phone").Check<IsPhone>("is not a phone number"),
       Attribute<&Clerk::hours>("hours").Check<IsPositive>("must be positive"),
       Attribute<&Clerk::rate>("rate"), Attribute<&Clerk::wage>("wage").Derived<WageOf>(),
       Attribute<&Clerk::password_hash>("passwordHash").Hidden(),
       Attribute<&Clerk::address>("address")},
      {PrimaryKey("CLERK", "CLERK#{clerkId}"), IndexKey("GSI1", "WAGES", "{wage:08}#{clerkId}")});
}

// An entity whose checked attribute is in the key alone.
struct Badge {
  std::string code = {};
};
constexpr auto DescribeEntity(const Badge*) {
  return DefineEntity<Badge>(
      "badge",
      {Attribute<&Badge::code>("code").InKeyOnly().Check<IsStaffCode>("must have 5 characters")},
      {PrimaryKey("BADGE#{code}", "BADGE")});
}

class RulesTest : public EntityTest {
 protected:
  Item StoredClerk() const { return Stored(Key("CLERK", "CLERK#c1")); }

  const Clerk clerk_ = {.id = "c1", .name = "Ann", .phone = "+39"};
};

TEST_F(RulesTest, AWriteOfAValueThatIsNotAllowedFails) {
  Clerk wrong = clerk_;
  wrong.phone = "39";
  const auto is_refused =
      StatusIs(kValidation, Says("clerk", "phone", "phone is not a phone number"));
  EXPECT_THAT(table().Create(wrong), is_refused);
  EXPECT_THAT(table().Put(wrong), is_refused);
  EXPECT_THAT(table().BatchPut(std::vector{wrong}), is_refused);
  EXPECT_THAT(table().Transact().Create(wrong).Commit(), is_refused);
  EXPECT_THAT(StoredClerk(), IsEmpty());
  wrong.phone.reset();
  EXPECT_THAT(table().Create(wrong), IsOk()) << "an absent value is allowed";
}

TEST_F(RulesTest, AnAttributeInTheKeyAloneIsChecked) {
  EXPECT_THAT(table().Create(Badge{.code = "1"}),
              StatusIs(kValidation, Says("badge", "code must have 5 characters")));
  EXPECT_THAT(table().Create(Badge{.code = "12345"}), IsOk());
}

TEST_F(RulesTest, AnUpdateToAValueThatIsNotAllowedChangesNothing) {
  Value(table().Create(clerk_));
  const Item before = StoredClerk();
  EXPECT_THAT(table().Update(clerk_).Set<&Clerk::phone>("39").Commit(),
              StatusIs(kValidation, Says("clerk", "phone is not a phone number")));
  EXPECT_THAT(table().Update(clerk_).Add<&Clerk::hours>(-40).Commit(),
              StatusIs(kValidation, Says("clerk", "hours must be positive")));
  EXPECT_THAT(table().Transact().Update(clerk_, Changes<Clerk>().Add<&Clerk::hours>(-41)).Commit(),
              StatusIs(kValidation, Says("clerk", "hours must be positive")));
  EXPECT_EQ(StoredClerk(), before);
}

TEST_F(RulesTest, AnUpdateOfAnotherAttributeAcceptsAnOldValue) {
  Value(table().Create(clerk_));
  Item item = StoredClerk();
  item["phone"] = "39";
  Store(item);
  EXPECT_THAT(table().Update(clerk_).Set<&Clerk::name>("Eve").Commit(), IsOk());
  EXPECT_EQ(Value(table().Get(clerk_)).phone, "39");
}

TEST_F(RulesTest, ANestedAttributeIsChecked) {
  Clerk wrong = clerk_;
  wrong.address = StaffAddress{.city = "Rome", .code = "1"};
  const auto is_refused =
      StatusIs(kValidation, Says("clerk", "address.code must have 5 characters"));
  EXPECT_THAT(table().Create(wrong), is_refused);
  Value(table().Create(clerk_));
  EXPECT_THAT(table().Update(clerk_).Set<&Clerk::address>(wrong.address).Commit(), is_refused);
}

TEST_F(RulesTest, AnUpdateComputesDerivedAttributesAndTheirIndexKeys) {
  EXPECT_EQ(Value(table().Create(clerk_)).wage, 400);
  EXPECT_EQ(Value(table().Update(clerk_).Set<&Clerk::rate>(20).Commit()).wage, 800);
  EXPECT_EQ(StoredClerk().at("wage"), N("800"));
  EXPECT_EQ(StoredClerk().at("GSI1SK"), AttributeValue("00000800#c1"));
  EXPECT_THAT(table().Transact().Update(clerk_, Changes<Clerk>().Add<&Clerk::hours>(-30)).Commit(),
              IsOk());
  EXPECT_EQ(Value(table().Get(clerk_)).wage, 200);
  const auto wages = [&] { return table().Query<Clerk>("GSI1"); };
  EXPECT_THAT(wages().AtMost<&Clerk::wage>(200).Count(), IsOkAndHolds(1u));
  EXPECT_THAT(wages().Before<&Clerk::wage>(200).Count(), IsOkAndHolds(0u));
}

TEST_F(RulesTest, AMigrationComputesDerivedAttributes) {
  Value(table().Create(clerk_));
  Item old = StoredClerk();
  for (const char* name : {"wage", "GSI1PK", "GSI1SK"}) old.erase(name);
  Store(old);
  EXPECT_THAT(Value(table().Reindex<Clerk>()).failures, IsEmpty());
  EXPECT_EQ(StoredClerk().at("GSI1SK"), AttributeValue("00000400#c1"));
  Value(table().Migrate<Clerk>([](Clerk& clerk) { clerk.rate = 20; }));
  EXPECT_EQ(Value(table().Get(clerk_)).wage, 800);
}

TEST_F(RulesTest, ReadsLeaveOutHiddenAttributes) {
  Clerk clerk = clerk_;
  clerk.password_hash = "2b$x";
  Value(table().Create(clerk));
  EXPECT_EQ(StoredClerk().at("passwordHash"), AttributeValue("2b$x"));
  EXPECT_EQ(Value(table().Get(clerk)).password_hash, "none");
  EXPECT_EQ(Value(table().BatchGet(std::vector{clerk}))[0].password_hash, "none");
  EXPECT_EQ(std::get<0>(Value(table().TransactGet(clerk)))->password_hash, "none");
  EXPECT_EQ(Value(table().Scan<Clerk>().All())[0].password_hash, "none");
  EXPECT_EQ(Value(table().Query<Clerk>().First())->password_hash, "none");
  EXPECT_EQ(Value(table().Update(clerk).Set<&Clerk::name>("Eve").Commit()).password_hash, "none");
  EXPECT_EQ(StoredClerk().at("passwordHash"), AttributeValue("2b$x")) << "the update keeps it";
  const auto projected = table().Query<Clerk>().Project<&Clerk::password_hash>().First();
  EXPECT_EQ(Value(projected)->password_hash, "2b$x");
}

TEST_F(RulesTest, AProjectionReadsItsMembersAndTheKey) {
  Value(table().Create(clerk_));
  const Clerk expected = {.id = "c1", .phone = "+39", .hours = 40, .rate = 10, .wage = 400};
  const auto query = table().Query<Clerk>().Project<&Clerk::phone>().Project<&Clerk::wage>();
  EXPECT_THAT(query.All(), IsOkAndHolds(ElementsAre(expected)));
  EntityQuery<Clerk> more = query;
  more.Project<&Clerk::name>();
  EXPECT_EQ(Value(more.First())->name, "Ann");
  EXPECT_EQ(Value(query.First())->name, "") << "a copy has its own projection";
}

TEST_F(RulesTest, AProjectionConcernsTheEntityOfItsMember) {
  Value(table().Create(TheRoom()));
  const Booking booking =
      Value(table().Create(Booking{.hotel_id = "h1", .id = "b1", .guest_id = "g1"}));
  const auto found = table()
                         .Query<Room, Booking>()
                         .With<&Room::hotel_id>("h1")
                         .Project<&Booking::guest_id>()
                         .Grouped();
  const auto& [rooms, bookings] = Value(found);
  EXPECT_THAT(rooms, ElementsAre(TheRoom()));
  ASSERT_THAT(bookings, SizeIs(1));
  EXPECT_EQ(bookings[0].guest_id, "g1");
  EXPECT_EQ(bookings[0].label, "");
}

}  // namespace
}  // namespace dolmen::hotel
