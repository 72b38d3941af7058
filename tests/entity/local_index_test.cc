// Tests of entities with keys in local secondary indexes.

#include <dolmen/entity.h>
#include <dolmen/entity/describe.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "tests/entity/fixture.h"

namespace dolmen::hotel {
namespace {

using testing::SizeIs;

// An offer of a hotel. Local indexes order the offers of a hotel by price and by their last day. The
// second uses the attribute itself as its sort key.
struct Offer {
  std::string hotel = {};
  std::string id = {};
  std::optional<int> price = {};
  std::optional<std::string> until = {};

  friend bool operator==(const Offer&, const Offer&) = default;
};
constexpr auto DescribeEntity(const Offer*) {
  return DefineEntity<Offer>(
      "offer",
      {Attribute<&Offer::hotel>("hotel").InKeyOnly(), Attribute<&Offer::id>("offerId"),
       Attribute<&Offer::price>("price"), Attribute<&Offer::until>("until")},
      {PrimaryKey("HOTEL#{hotel}", "OFFER#{offerId}"), LocalIndexKey("LSI1", "PRICE#{price:06}"),
       LocalIndexKey("LSI2", "{until}").Named({}, "until")});
}

class LocalIndexTest : public testing::Test {
 protected:
  LocalIndexTest() : database_(Value(Database::InMemory({}))) {
    CreateTableInput create = {.name = "offers"};
    create.local_secondary_indexes = {{.name = "LSI1", .sort_key = {"LSI1SK"}},
                                      {.name = "LSI2", .sort_key = {"until"}}};
    Value(database_.CreateTable(create));
    table_.emplace(database_, Value(database_.OpenTable("offers")));
    Value(table().Create(Offer{.hotel = "h", .id = "1", .price = 30, .until = "2026-05-01"}));
    Value(table().Create(Offer{.hotel = "h", .id = "2", .price = 10, .until = "2026-07-01"}));
    Value(table().Create(Offer{.hotel = "h", .id = "3", .price = 20}));
    Value(table().Create(Offer{.hotel = "h", .id = "4"}));
    Value(table().Create(Offer{.hotel = "other", .id = "5", .price = 5}));
  }
  const EntityTable& table() const { return *table_; }

  // Returns the ids of the hotel's offers in the order of the index.
  std::vector<std::string> Ids(const std::string& index) const {
    std::vector<std::string> ids;
    for (const Offer& offer : Value(table().Query<Offer>(index).With<&Offer::hotel>("h").All())) {
      ids.push_back(offer.id);
    }
    return ids;
  }

  Database database_;
  std::optional<EntityTable> table_;
};

TEST_F(LocalIndexTest, OrdersThePartitionOfTheTable) {
  EXPECT_THAT(Ids(""), ElementsAre("1", "2", "3", "4"));
  EXPECT_THAT(Ids("LSI1"), ElementsAre("2", "3", "1")) << "offer 4 has no price";
  EXPECT_THAT(Ids("LSI2"), ElementsAre("1", "2"));
  const auto cheap =
      table().Query<Offer>("LSI1").With<&Offer::hotel>("h").AtMost<&Offer::price>(20).All();
  EXPECT_THAT(Value(cheap), SizeIs(2));
}

TEST_F(LocalIndexTest, PagesCoverTheIndex) {
  std::vector<Offer> offers;
  auto pages = table().Query<Offer>("LSI1").With<&Offer::hotel>("h").Limit(2).Pages();
  for (const auto& page : pages) offers.insert(offers.end(), page.items.begin(), page.items.end());
  EXPECT_THAT(pages.status(), IsOk());
  EXPECT_THAT(offers, SizeIs(3));
  EXPECT_THAT(table().Scan<Offer>("LSI1").All(), IsOkAndHolds(SizeIs(4)));
}

TEST_F(LocalIndexTest, AnUpdateMovesAddsAndRemovesTheEntry) {
  Value(table().Update(Offer{.hotel = "h", .id = "1"}).Set<&Offer::price>(1).Commit());
  Value(table().Update(Offer{.hotel = "h", .id = "4"}).Set<&Offer::price>(2).Commit());
  Value(table()
            .Update(Offer{.hotel = "h", .id = "2"})
            .Remove<&Offer::price>()
            .Remove<&Offer::until>()
            .Commit());
  EXPECT_THAT(Ids("LSI1"), ElementsAre("1", "4", "3"));
  EXPECT_THAT(Ids("LSI2"), ElementsAre("1"));
  EXPECT_THAT(table().Get(Offer{.hotel = "h", .id = "2"}),
              IsOkAndHolds(Offer{.hotel = "h", .id = "2"}));
}

TEST_F(LocalIndexTest, ReindexAddsTheKeyThatAnItemLacks) {
  Value(table().table().PutItem({.item = {{"PK", "HOTEL#h"},
                                          {"SK", "OFFER#9"},
                                          {"entityType", "offer"},
                                          {"offerId", "9"},
                                          {"price", 1}}}));
  EXPECT_THAT(Ids("LSI1"), SizeIs(3));
  EXPECT_EQ(Value(table().Reindex<Offer>({.share = 1})).items_written, 1U);
  EXPECT_THAT(Ids("LSI1"), ElementsAre("9", "2", "3", "1"));
}

TEST_F(LocalIndexTest, OpenCreatesLocalIndexesAndCannotAddThem) {
  EntityTableInput input = {.name = "others", .local_indexes = {"LSI1"}};
  EXPECT_THAT(EntityTable::Open(database_, input), IsOk());
  EXPECT_THAT(EntityTable::Open(database_, input), IsOk());
  input.local_indexes.push_back("LSI2");
  input.add_missing_indexes = true;
  EXPECT_THAT(EntityTable::Open(database_, input),
              StatusIs(kValidation, Says("others", "LSI2", "only be created with its table")));
}

TEST_F(LocalIndexTest, TheDesignNamesTheIndex) {
  const TableDescription design = Describe<Offer>("offers").Table();
  EXPECT_THAT(design.local_secondary_indexes, SizeIs(2));
  EXPECT_THAT(design.global_secondary_indexes, IsEmpty());
  EXPECT_THAT(Describe<Offer>("offers").IndexTable(), HasSubstr("PRICE#{price:06}"));
}

}  // namespace
}  // namespace dolmen::hotel
