// Tests of UpdateTimeToLive and DescribeTimeToLive. time_to_live_on_disk_test.cc tests them with
// reopened databases, and expire_now_test.cc tests the deletion of expired items. The rule numbers
// are those of tests/behaviour/README.md.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateTimeToLive.html

#include "tests/behaviour/time_to_live.h"

#include <cstdint>
#include <string>

#include "tests/behaviour/expiring_table.h"
#include "tests/behaviour/one_item.h"

namespace dolmen::behaviour {
namespace {

auto HasNoTableNamed(const std::string& name) {
  return StatusIs(StatusCode::kResourceNotFound,
                  "Requested resource not found: Table: " + name + " not found");
}

class TimeToLiveTest : public ExpiringTableTest {
 protected:
  Result<TimeToLiveDescription> Describe() const {
    return database().DescribeTimeToLive("sessions");
  }
  Status Disable(const std::string& attribute = "expires") const {
    return Change({.enabled = false, .attribute_name = attribute});
  }

  // Puts `count` items with the sort keys "0", "1", ... into the ten partitions "p0" to "p9".
  void PutMany(int count, const AttributeValue& expires) const {
    for (int i = 0; i < count; ++i) {
      Item item = Session(std::to_string(i), expires);
      item.insert_or_assign("PK", "p" + std::to_string(i % 10));
      Put(item);
    }
  }
  std::uint32_t Count(const std::string& index, bool hide_expired = false) const {
    const auto page = table().Scan(
        {.index = index, .select = Select::kCount, .options = {.hide_expired = hide_expired}});
    EXPECT_THAT(page, IsOk());
    return page.ok() ? page->count() : 0;
  }
};

TEST_F(TimeToLiveTest, TimeToLiveIsDisabledByDefault) {
  EXPECT_THAT(Describe(), Is(kDisabled, "", false));
  PutSession("a", In(seconds(-1)));
  EXPECT_EQ(ExpireNow(), 0u);
  EXPECT_FALSE(IsHidden("a"));
}

// UpdateTimeToLive names the time attribute, and DescribeTimeToLive returns it.
TEST_F(TimeToLiveTest, TimeToLiveIsEnabledOnAnAttribute) {
  const auto enabled = database().UpdateTimeToLive(
      {.table_name = "sessions", .specification = {.attribute_name = "expires"}});
  ASSERT_THAT(enabled, IsOk());
  EXPECT_TRUE(enabled->enabled);
  EXPECT_EQ(enabled->attribute_name, "expires");
  EXPECT_FALSE(enabled->hide_expired);
  ASSERT_THAT(table().WaitForIndexes(), IsOk());
  EXPECT_THAT(Describe(), Is(kEnabled, "expires", false));
  PutSession("a", In(seconds(-1)));
  EXPECT_EQ(ExpireNow(), 1u);
}

// Dolmen scans the existing items in the background.
TEST_F(TimeToLiveTest, EnablingAppliesToExistingItems) {
  PutMany(1000, In(seconds(-1)));
  PutSession("lives", In(seconds(60)));
  PutSession("never", "expires");
  ASSERT_THAT(Change({.attribute_name = "expires"}), IsOk());
  EXPECT_THAT(Describe(),
              testing::AnyOf(Is(kEnabling, "expires", false), Is(kEnabled, "expires", false)));
  ASSERT_THAT(table().WaitForIndexes(), IsOk());
  EXPECT_THAT(Describe(), Is(kEnabled, "expires", false));
  EXPECT_EQ(Count(""), 1002u);  // the scan deletes nothing
  EXPECT_EQ(ExpireNow(), 1000u);
  EXPECT_THAT(StoredKeys(), ElementsAre("lives", "never"));
}

TEST_F(TimeToLiveTest, EnablingAppliesAtOnceToNewWrites) {
  PutMany(1000, In(seconds(60)));
  ASSERT_THAT(Change({.attribute_name = "expires"}), IsOk());
  PutSession("new", In(seconds(-1)));
  EXPECT_EQ(ExpireNow(), 1u);
  EXPECT_FALSE(IsStored("new"));
  PutMany(500, In(seconds(-1)));  // the scan reaches some of them later
  ASSERT_THAT(table().WaitForIndexes(), IsOk());
  EXPECT_EQ(ExpireNow(), 500u);
  EXPECT_EQ(Count(""), 500u);
}

TEST_F(TimeToLiveTest, EnablingHidesExpiredItemsAtOnce) {
  PutMany(1000, In(seconds(-1)));
  PutSession("lives", In(seconds(60)));
  ASSERT_THAT(Change({.attribute_name = "expires", .hide_expired = true}), IsOk());
  EXPECT_THAT(SortKeys({.key_condition = Partition("p7")}), IsEmpty());
  EXPECT_FALSE(table().GetItem({.key = {{"PK", "p0"}, {"SK", "0"}}})->item);
  for (const std::string& index : kEverywhere) EXPECT_EQ(Count(index, true), 1u) << index;
  ASSERT_THAT(table().WaitForIndexes(), IsOk());
  EXPECT_EQ(ExpireNow(), 1000u);
}

TEST_F(TimeToLiveTest, EnablingTwiceIsRejected) {
  Enable();
  EXPECT_THAT(Change({.attribute_name = "expires"}), IsInvalid("TimeToLive is already enabled"));
  EXPECT_THAT(Change({.attribute_name = "until"}),
              IsInvalid("TimeToLive is active on a different AttributeName: current AttributeName "
                        "is expires"));
  EXPECT_THAT(Change({.attribute_name = "Expires"}),  // attribute names are case-sensitive
              IsInvalid("TimeToLive is active on a different AttributeName: current AttributeName "
                        "is expires"));
  EXPECT_THAT(Describe(), Is(kEnabled, "expires", false));
}

TEST_F(TimeToLiveTest, EnablingDuringEnablingIsRejected) {
  PutMany(1000, In(seconds(60)));
  ASSERT_THAT(Change({.attribute_name = "expires"}), IsOk());
  EXPECT_THAT(Change({.attribute_name = "expires"}), IsInvalid("TimeToLive is already enabled"));
  ASSERT_THAT(Disable(), IsOk());
  EXPECT_THAT(Describe(), Is(kDisabled, "", false));
  EXPECT_THAT(table().WaitForIndexes(), IsOk());
  ASSERT_THAT(Change({.attribute_name = "expires"}), IsOk());  // starts a new scan
  clock().Advance(seconds(61));
  ASSERT_THAT(table().WaitForIndexes(), IsOk());
  EXPECT_EQ(ExpireNow(), 1000u);
}

// After time to live is disabled, items neither expire nor are hidden.
TEST_F(TimeToLiveTest, DisablingEndsExpiryAndHiding) {
  Enable(true);
  PutSession("a", In(seconds(-1)));
  ASSERT_TRUE(IsHidden("a"));
  const auto disabled = database().UpdateTimeToLive(
      {.table_name = "sessions", .specification = {.enabled = false, .attribute_name = "expires"}});
  ASSERT_THAT(disabled, IsOk());
  EXPECT_FALSE(disabled->enabled);
  EXPECT_EQ(disabled->attribute_name, "expires");
  EXPECT_THAT(Describe(), Is(kDisabled, "", false));
  EXPECT_FALSE(IsHidden("a"));
  EXPECT_EQ(ExpireNow(), 0u);
  EXPECT_THAT(StoredKeys(), ElementsAre("a"));
}

TEST_F(TimeToLiveTest, DisablingTwiceOrOnAnotherAttributeIsRejected) {
  EXPECT_THAT(Disable(), IsInvalid("TimeToLive is already disabled"));
  Enable();
  EXPECT_THAT(Disable("until"),  // unverified
              IsInvalid("TimeToLive is active on a different AttributeName: current AttributeName "
                        "is expires"));
  EXPECT_THAT(Describe(), Is(kEnabled, "expires", false));
  ASSERT_THAT(Disable(), IsOk());
  EXPECT_THAT(Disable(), IsInvalid("TimeToLive is already disabled"));
}

TEST_F(TimeToLiveTest, TheAttributeChangesByDisablingAndEnabling) {
  Enable();
  Item one = Session("one", In(seconds(-1)));
  one.emplace("until", In(seconds(60)));
  Item other = Session("other", In(seconds(60)));
  other.emplace("until", In(seconds(-1)));
  Put(one);
  Put(other);
  ASSERT_THAT(Disable(), IsOk());
  ASSERT_THAT(Change({.attribute_name = "until"}), IsOk());
  ASSERT_THAT(table().WaitForIndexes(), IsOk());
  EXPECT_THAT(Describe(), Is(kEnabled, "until", false));
  EXPECT_EQ(ExpireNow(), 1u);
  EXPECT_THAT(StoredKeys(), ElementsAre("one"));
}

// When time to live is disabled, Dolmen deletes its index of expiry times. When time to live is
// enabled again, Dolmen reads the expiry times from the items as they are then.
TEST_F(TimeToLiveTest, EnablingAgainUsesTheItemsAsTheyAreThen) {
  Enable();
  PutSession("renewed", In(seconds(-1)));
  PutSession("shortened", In(seconds(60)));
  PutSession("deleted", In(seconds(-1)));
  ASSERT_THAT(Disable(), IsOk());
  PutSession("renewed", In(seconds(60)));
  PutSession("shortened", In(seconds(-1)));
  ASSERT_THAT(table().DeleteItem({.key = Key("deleted")}), IsOk());
  PutSession("new", In(seconds(-1)));
  Enable();
  EXPECT_EQ(ExpireNow(), 2u);
  EXPECT_THAT(StoredKeys(), ElementsAre("renewed"));
  clock().Advance(seconds(61));
  EXPECT_EQ(ExpireNow(), 1u);
  EXPECT_EQ(ExpireNow(), 0u);
}

// UpdateTimeToLive can turn hide_expired on and off. hide_expired, which DynamoDB does not have,
// makes requests treat expired items as absent.
TEST_F(TimeToLiveTest, UpdateTimeToLiveChangesHideExpired) {
  Enable();
  PutSession("a", In(seconds(-1)));
  const auto is_seen = [&] { return table().GetItem({.key = Key("a")})->item.has_value(); };
  EXPECT_TRUE(is_seen());
  ASSERT_THAT(Change({.attribute_name = "expires", .hide_expired = true}), IsOk());
  EXPECT_THAT(Describe(), Is(kEnabled, "expires", true));  // without a second scan
  EXPECT_FALSE(is_seen());
  EXPECT_THAT(Change({.attribute_name = "expires", .hide_expired = true}),
              IsInvalid("TimeToLive is already enabled"));
  ASSERT_THAT(Change({.attribute_name = "expires", .hide_expired = false}), IsOk());
  EXPECT_THAT(Describe(), Is(kEnabled, "expires", false));
  EXPECT_TRUE(is_seen());
  EXPECT_EQ(ExpireNow(), 1u);
}

TEST_F(TimeToLiveTest, HideExpiredMayChangeDuringEnabling) {
  PutMany(1000, In(seconds(-1)));
  ASSERT_THAT(Change({.attribute_name = "expires"}), IsOk());
  ASSERT_THAT(Change({.attribute_name = "expires", .hide_expired = true}), IsOk());
  EXPECT_EQ(table().Scan({})->count(), 0u);
  ASSERT_THAT(table().WaitForIndexes(), IsOk());
  EXPECT_THAT(Describe(), Is(kEnabled, "expires", true));
  EXPECT_EQ(ExpireNow(), 1000u);
}

TEST_F(TimeToLiveTest, TheAttributeNameHasOneTo255Bytes) {
  const std::string e_acute = "\u00e9";  // two bytes
  std::string name_254;
  for (int i = 0; i < 127; ++i) name_254 += e_acute;
  for (const std::string& name : {std::string("x"), std::string(255, 'x'), name_254 + "x"}) {
    ASSERT_THAT(Change({.attribute_name = name}), IsOk()) << name.size();
    ASSERT_THAT(table().WaitForIndexes(), IsOk());
    EXPECT_THAT(Describe(), Is(kEnabled, name, false));
    Put({{"PK", "p"}, {"SK", "a"}, {name, In(seconds(-1))}});
    EXPECT_EQ(ExpireNow(), 1u);
    ASSERT_THAT(Disable(name), IsOk());
  }
  const auto refusal = [](const std::string& name, const std::string& length) {
    return IsInvalid("1 validation error detected: Value '" + name +
                     "' at 'timeToLiveSpecification.attributeName' failed to satisfy constraint: "
                     "Member must have length " +
                     length);
  };
  EXPECT_THAT(Change({.attribute_name = ""}), refusal("", "greater than or equal to 1"));
  for (const std::string& name : {std::string(256, 'x'), name_254 + e_acute}) {
    EXPECT_THAT(Change({.attribute_name = name}), refusal(name, "less than or equal to 255"));
  }
  EXPECT_THAT(Describe(), Is(kDisabled, "", false));
}

// The name is not a path: "a.b" is an attribute, not an element of the map "a".
TEST_F(TimeToLiveTest, TimeToLiveUsesATopLevelAttribute) {
  ASSERT_THAT(Change({.attribute_name = "a.b"}), IsOk());
  ASSERT_THAT(table().WaitForIndexes(), IsOk());
  Put({{"PK", "p"}, {"SK", "dot"}, {"a.b", In(seconds(-1))}});
  Put({{"PK", "p"}, {"SK", "map"}, {"a", Map{{"b", In(seconds(-1))}}}});
  EXPECT_EQ(ExpireNow(), 1u);
  EXPECT_FALSE(IsStored("dot"));
  EXPECT_TRUE(IsStored("map"));
}

TEST_F(TimeToLiveTest, AnUnknownTableIsNotFound) {
  EXPECT_THAT(database().DescribeTimeToLive("nowhere"), HasNoTableNamed("nowhere"));
  EXPECT_THAT(database().UpdateTimeToLive(
                  {.table_name = "nowhere", .specification = {.attribute_name = "expires"}}),
              HasNoTableNamed("nowhere"));
}

TEST_F(TimeToLiveTest, DeleteTableEndsItsTimeToLive) {
  Enable(true);
  PutSession("a", In(seconds(-1)));
  ASSERT_THAT(database().DeleteTable("sessions"), IsOk());
  EXPECT_THAT(Describe(), HasNoTableNamed("sessions"));
  EXPECT_EQ(table().ExpireNow().status().code(), StatusCode::kResourceNotFound);
  const auto next = database().CreateTable(TableInput());
  ASSERT_THAT(next, IsOk());
  EXPECT_THAT(Describe(), Is(kDisabled, "", false));
  ASSERT_THAT(next->PutItem({.item = Session("a", In(seconds(-1)))}), IsOk());
  EXPECT_THAT(next->ExpireNow(), IsOkAndHolds(0u));
  EXPECT_TRUE(next->GetItem({.key = Key("a")})->item);
}

// The backfill of the index and the scan for the time to live run at the same time. Either may
// start first.
TEST_F(TimeToLiveTest, TimeToLiveIsEnabledWhileAnIndexIsBuilt) {
  for (const bool index_first : {true, false}) {
    PutMany(600, In(seconds(-1)));
    PutMany(200, In(seconds(60)));  // replaces 200 of these items
    const GlobalSecondaryIndex index{.name = "ByRankEverywhere", .partition_key = {{"rank"}}};
    const auto make_index = [&] {
      ASSERT_THAT(database().UpdateTable({.name = "sessions", .create_index = index}), IsOk());
    };
    if (index_first) make_index();
    ASSERT_THAT(Change({.attribute_name = "expires"}), IsOk());
    if (!index_first) make_index();
    const std::uint64_t before = ExpireNow();  // while the backfill and the scan run
    ASSERT_THAT(table().WaitForIndexes(), IsOk());
    EXPECT_THAT(Describe(), Is(kEnabled, "expires", false));
    EXPECT_EQ(before + ExpireNow(), 400u);
    EXPECT_EQ(Count(""), 200u);
    EXPECT_EQ(Count("ByRankEverywhere"), 200u);
    ASSERT_THAT(Disable(), IsOk());
    ASSERT_THAT(database().UpdateTable({.name = "sessions", .delete_index = index.name}), IsOk());
  }
}

}  // namespace
}  // namespace dolmen::behaviour
