// Tests of versions of entities: items of older versions are upgraded when they are read, and as
// they are next written.

#include "entity/upgrade.h"

#include <dolmen/entity.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/entity/fixture.h"

namespace dolmen::hotel {
namespace {

// Version 1 had "name". Version 2 renamed it to "title". Version 3 has the time in minutes.
struct Talk {
  std::string id = {};
  std::string title = {};
  int minutes = 0;
  std::string room = "hall";

  friend bool operator==(const Talk&, const Talk&) = default;
};
constexpr auto DescribeEntity(const Talk*) {
  return DefineEntity<Talk>(
             "talk",
             {Attribute<&Talk::id>("talkId"), Attribute<&Talk::title>("title"),
              Attribute<&Talk::minutes>("minutes"), Attribute<&Talk::room>("room")},
             {PrimaryKey("TALKS", "TALK#{talkId}"), IndexKey("GSI1", "TITLE#{title}")})
      .Version(3)
      .From<1>([](Item& item) {
        RenameAttribute(&item, "name", "title");
        RenameAttribute(&item, "absent", "title");
        item["PK"] = "an upgrade cannot change the key";
        item.erase("entityType");
      })
      .From<2>([](Item& item) {
        const auto* stored = item["hours"].get_if<Number>();
        item["minutes"] = (stored == nullptr ? 1 : stored->ToInt64().value_or(1)) * 60;
        item.erase("hours");
      });
}

class UpgradeTest : public EntityTest {
 protected:
  static Item OldItem() {
    return {{"PK", "TALKS"},  {"SK", "TALK#1"}, {"entityType", "talk"}, {"talkId", "1"},
            {"name", "Keys"}, {"hours", 2},     {"extra", "kept"},      {"GSI1PK", "NAME#Keys"}};
  }
  Item StoredTalk() const { return Stored(Key("TALKS", "TALK#1")); }

  const Talk talk_ = {.id = "1", .title = "Keys", .minutes = 120};
};

TEST_F(UpgradeTest, AnOlderItemIsReadAsTheNewestVersion) {
  Store(OldItem());
  EXPECT_THAT(table().Get(Talk{.id = "1"}), IsOkAndHolds(talk_));
  EXPECT_THAT(table().Query<Talk>().All(), IsOkAndHolds(ElementsAre(talk_)));
  EXPECT_EQ(StoredTalk(), OldItem()) << "a read writes nothing";
  Item second = OldItem();
  second.erase("name");
  second.insert_or_assign("title", "Values");
  second.insert_or_assign("entityVersion", 2);
  EXPECT_EQ(Value(Read<Talk>(second)).title, "Values");
}

TEST_F(UpgradeTest, APutStoresTheVersion) {
  EXPECT_THAT(table().Create(talk_), IsOk());
  EXPECT_EQ(StoredTalk().at("entityVersion"), AttributeValue(3));
  EXPECT_THAT(table().Get(talk_), IsOkAndHolds(talk_));
}

TEST_F(UpgradeTest, AnUpdateSeesAndStoresTheUpgradedItem) {
  Store(OldItem());
  Talk expected = talk_;
  expected.minutes = 130;
  EXPECT_THAT(table().Update(talk_, Changes<Talk>().Add<&Talk::minutes>(10).If(
                                        AttrOf<&Talk::title>() == "Keys")),
              IsOkAndHolds(expected));
  Item stored = Value(ToItem(expected));
  stored.erase("room");  // the item still lacks it
  stored.insert_or_assign("extra", "kept");
  EXPECT_EQ(StoredTalk(), stored);

  Store(OldItem());
  EXPECT_THAT(table().Transact().Update(talk_, Changes<Talk>().Set<&Talk::title>("New")).Commit(),
              IsOk());
  EXPECT_EQ(StoredTalk().at("title"), AttributeValue("New"));
  EXPECT_EQ(StoredTalk().at("GSI1PK"), AttributeValue("TITLE#New"));
}

TEST_F(UpgradeTest, ARefusedUpdateLeavesTheOldItem) {
  Store(OldItem());
  EXPECT_THAT(table().Update(talk_, Changes<Talk>().Set<&Talk::title>("New").If(
                                        AttrOf<&Talk::title>() == "Values")),
              StatusIs(kConditionFailed, testing::_));
  EXPECT_EQ(StoredTalk(), OldItem());
}

TEST_F(UpgradeTest, AnItemOfANewerVersionIsReadAsItIs) {
  Item newer = Value(ToItem(talk_));
  newer.insert_or_assign("entityVersion", 4);
  newer.insert_or_assign("speaker", "Ann");
  Store(newer);
  EXPECT_THAT(table().Get(talk_), IsOkAndHolds(talk_));
  EXPECT_THAT(table().Update(talk_, Changes<Talk>().Set<&Talk::minutes>(120)), IsOk());
  EXPECT_EQ(StoredTalk(), newer);
}

TEST_F(UpgradeTest, AMalformedVersionIsCorruption) {
  for (const AttributeValue& wrong : {AttributeValue("3"), AttributeValue(0), AttributeValue(-1)}) {
    Item item = OldItem();
    item.insert_or_assign("entityVersion", wrong);
    EXPECT_THAT(Read<Talk>(item), StatusIs(kCorruption, Says("talk", "entityVersion")));
  }
}

}  // namespace
}  // namespace dolmen::hotel
