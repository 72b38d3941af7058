// Tests of sort keys with several levels: orders/orders.h and places/places.h.

#include <gtest/gtest.h>

#include "models/patterns/orders/orders.h"
#include "models/patterns/places/places.h"
#include "tests/models/cost.h"
#include "tests/support/status_matchers.h"
#include "tests/support/value.h"

namespace dolmen {
namespace {

using test::Cost;
using test::IsOk;
using test::IsOkAndHolds;
using test::StatusIs;
using test::Value;
using testing::_;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

template <typename Identified>
std::vector<std::string> Ids(const std::vector<Identified>& all) {
  std::vector<std::string> ids;
  for (const Identified& one : all) ids.push_back(one.id);
  return ids;
}

// The sample data, and the item i10, whose id begins the ids of the other items.
class OrdersTest : public testing::Test {
 protected:
  OrdersTest() {
    EXPECT_THAT(orders::LoadSampleData(table_), IsOk());
    Value(table_.Create(orders::OrderItem{"o1", "i10", "Bulb", 4}));
    log_.Take();
  }

  // Returns the ids of everything that belongs to the order.
  std::vector<std::string> Parts(const std::string& order_id) {
    std::vector<std::string> ids;
    for (const auto& one : Value(orders::WholeOrder(table_, order_id).All())) {
      std::visit([&](const auto& part) { ids.push_back(part.id); }, one);
    }
    return ids;
  }

  RequestLog log_;
  Database database_ = Value(Database::InMemory());
  EntityTable table_ = Value(orders::Open(database_, log_.observer()));
};

TEST_F(OrdersTest, AnOrderOrAnItemIsOneGetItem) {
  EXPECT_EQ(Value(table_.Get(orders::Order{.id = "o1"})).customer_id, "u1");
  EXPECT_EQ(Cost(log_), "GetItem, 0.5 read");
  EXPECT_THAT(table_.Get(orders::OrderItem{.order_id = "o1", .id = "i100"}),
              IsOkAndHolds(orders::OrderItem{"o1", "i100", "Lamp", 2}));
  EXPECT_EQ(Cost(log_), "GetItem, 0.5 read");
}

TEST_F(OrdersTest, AWholeOrderIsOneQueryInTheOrderOfTheHierarchy) {
  EXPECT_THAT(Parts("o1"),
              ElementsAre("i10", "i100", "r1", "r2", "i101", "r3", "o1", "s1", "e1", "e2"));
  EXPECT_EQ(Cost(log_), "Query, 0.5 read");
  const auto [orders, items, returns, shipments, events] =
      Value(orders::WholeOrder(table_, "o1").Grouped());
  EXPECT_EQ(orders.size(), 1U);
  EXPECT_THAT(Ids(items), ElementsAre("i10", "i100", "i101"));
  EXPECT_THAT(Ids(returns), ElementsAre("r1", "r2", "r3"));
  EXPECT_THAT(Parts("o9"), IsEmpty());
}

TEST_F(OrdersTest, ItemsWithTheirReturnsAreOneQuery) {
  const auto [items, returns] = Value(orders::ItemsAndReturnsOf(table_, "o1").Grouped());
  EXPECT_EQ(Cost(log_), "Query, 0.5 read");
  EXPECT_THAT(Ids(items), ElementsAre("i10", "i100", "i101"));
  EXPECT_THAT(Ids(returns), ElementsAre("r1", "r2", "r3"));
}

TEST_F(OrdersTest, OneItemWithItsReturnsIsOneQuery) {
  const auto [items, returns] = Value(orders::ItemWithReturns(table_, {"o1", "i100"}).Grouped());
  EXPECT_EQ(Cost(log_), "Query, 0.5 read");
  EXPECT_THAT(items, ElementsAre(orders::OrderItem{"o1", "i100", "Lamp", 2}));
  EXPECT_THAT(returns, ElementsAre(orders::Return{"o1", "i100", "r1", "broken"},
                                   orders::Return{"o1", "i100", "r2", "too bright"}));
  const auto bulb = Value(orders::ItemWithReturns(table_, {"o1", "i10"}).Grouped());
  EXPECT_THAT(Ids(std::get<0>(bulb)), ElementsAre("i10")) << "i100 is another item";
  EXPECT_THAT(std::get<1>(bulb), IsEmpty());
}

TEST_F(OrdersTest, TheReturnsOfAnItemAreOneQuery) {
  EXPECT_THAT(Ids(Value(orders::ReturnsOf(table_, {"o1", "i100"}).All())), ElementsAre("r1", "r2"));
  EXPECT_EQ(Cost(log_), "Query, 0.5 read");
  EXPECT_THAT(orders::ReturnsOf(table_, {"o1", "i10"}).All(), IsOkAndHolds(IsEmpty()));
}

TEST_F(OrdersTest, ShipmentsWithTheirEventsAreOneQuery) {
  const auto [shipments, events] = Value(orders::ShipmentsOf(table_, "o1").Grouped());
  EXPECT_EQ(Cost(log_), "Query, 0.5 read");
  EXPECT_THAT(Ids(shipments), ElementsAre("s1"));
  EXPECT_THAT(Ids(events), ElementsAre("e1", "e2"));
  EXPECT_THAT(Ids(Value(orders::EventsOf(table_, {"o1", "s1"}).All())), ElementsAre("e1", "e2"));
  EXPECT_THAT(orders::EventsOf(table_, {"o1", "s2"}).All(), IsOkAndHolds(IsEmpty()));
}

// begins_with cannot skip a level, nor stop above one. A query of the items alone reads their
// returns, too, and drops them.
TEST_F(OrdersTest, ItemsAlonePayForTheirReturns) {
  for (int i = 0; i < 100; ++i) {
    Value(table_.Create(orders::Return{"o1", "i10", std::to_string(i), std::string(200, 'x')}));
  }
  log_.Take();
  const auto query = table_.Query<orders::OrderItem>().With<&orders::OrderItem::order_id>("o1");
  const auto page = Value(query.Page());
  EXPECT_THAT(Ids(page.items), ElementsAre("i10", "i100", "i101"));
  EXPECT_EQ(page.skipped, 103U);
  const std::vector<RequestTrace> asked = log_.Take();
  ASSERT_EQ(asked.size(), 1U);
  EXPECT_GE(asked[0].total().read_units, 3);
}

TEST_F(OrdersTest, AnOrderOfManyItemsBecomesPlacedAtOneMoment) {
  std::vector<orders::OrderItem> items;
  for (int i = 0; i < 250; ++i) items.push_back({.id = "i" + std::to_string(i), .product = "Nut"});
  EXPECT_THAT(orders::Place(table_, {.id = "o2", .customer_id = "u1"}, items), IsOk());
  EXPECT_EQ(Parts("o2").size(), 251U);
  EXPECT_EQ(Value(table_.Get(orders::Order{.id = "o2"})).status, orders::OrderStatus::kPlaced);
  EXPECT_THAT(orders::Place(table_, {.id = "o2", .customer_id = "u2"}, {}),
              StatusIs(StatusCode::kConditionalCheckFailed, "the order was placed already"));
  EXPECT_EQ(Value(table_.Get(orders::Order{.id = "o2"})).customer_id, "u1");
}

TEST_F(OrdersTest, APlacementThatFailedLeavesADraftAndCanBeRepeated) {
  EXPECT_THAT(orders::Place(table_, {.id = "o3", .customer_id = "u1"}, {{.id = "i#1"}}),
              StatusIs(StatusCode::kValidation, HasSubstr("itemId")));
  EXPECT_EQ(Value(table_.Get(orders::Order{.id = "o3"})).status, orders::OrderStatus::kDraft);
  EXPECT_THAT(orders::Place(table_, {.id = "o3", .customer_id = "u1"}, {{.id = "i1"}}), IsOk());
  EXPECT_EQ(Value(table_.Get(orders::Order{.id = "o3"})).status, orders::OrderStatus::kPlaced);
}

TEST_F(OrdersTest, AStatusChangesOnlyFromTheExpectedOne) {
  using orders::OrderStatus;
  EXPECT_THAT(orders::ChangeStatus(table_, "o1", OrderStatus::kShipped, OrderStatus::kDelivered),
              IsOk());
  EXPECT_EQ(Cost(log_), "UpdateItem, 1 write");
  EXPECT_THAT(orders::ChangeStatus(table_, "o1", OrderStatus::kPlaced, OrderStatus::kCancelled),
              StatusIs(StatusCode::kConditionalCheckFailed, "the order has a different status"));
  EXPECT_EQ(Value(table_.Get(orders::Order{.id = "o1"})).status, OrderStatus::kDelivered);
}

TEST_F(OrdersTest, ADeletedOrderTakesEverythingAlong) {
  Value(table_.Create(orders::Order{.id = "o10", .customer_id = "u1"}));
  EXPECT_THAT(orders::Delete(table_, "o1"), IsOk());
  EXPECT_THAT(Parts("o1"), IsEmpty());
  EXPECT_THAT(Parts("o10"), ElementsAre("o10"));
  EXPECT_THAT(orders::Delete(table_, "o1"), IsOk()) << "the call can be repeated";
}

TEST_F(OrdersTest, AddingIsATransactionWithACheckOfTheOwner) {
  EXPECT_THAT(orders::AddReturn(table_, {"o1", "i10", "r4", "dim"}), IsOk());
  EXPECT_EQ(Cost(log_), "TransactWriteItems, 4 write");
  EXPECT_THAT(orders::AddShipment(table_, {"o1", "s3", "Post"}), IsOk());
  EXPECT_EQ(Cost(log_), "TransactWriteItems, 4 write");
  EXPECT_THAT(orders::AddEvent(table_, {"o1", "s3", "e1", "lost"}), IsOk());
  EXPECT_EQ(Cost(log_), "TransactWriteItems, 4 write");

  EXPECT_THAT(orders::AddReturn(table_, {"o1", "i9", "r9", "?"}),
              StatusIs(StatusCode::kResourceNotFound, HasSubstr("orderItem")));
  EXPECT_THAT(orders::AddShipment(table_, {"o9", "s9", "?"}),
              StatusIs(StatusCode::kResourceNotFound, HasSubstr("order")));
  EXPECT_THAT(orders::AddEvent(table_, {"o1", "s9", "e9", "?"}),
              StatusIs(StatusCode::kResourceNotFound, HasSubstr("shipment")));
  EXPECT_THAT(orders::AddReturn(table_, {"o1", "i100", "r1", "again"}),
              StatusIs(StatusCode::kResourceInUse, _));
}

TEST_F(OrdersTest, ACancelledOrderIsNotShipped) {
  Value(table_.Create(orders::Order{.id = "o4", .status = orders::OrderStatus::kCancelled}));
  EXPECT_THAT(orders::AddShipment(table_, {"o4", "s1", "Post"}),
              StatusIs(StatusCode::kConditionalCheckFailed, "the order is cancelled"));
}

class PlacesTest : public testing::Test {
 protected:
  PlacesTest() {
    Add("p1", {"BR", "SP", "SaoPaulo", "Pinheiros", "AvenidaFaria Lima"});
    Add("p2", {"BR", "SP", "SaoPaulo", "Pinheiros", "Rua Augusta #5"});
    Add("p3", {"BR", "SP", "SaoPaulo", "Moema", "Alameda Jauaperi"});
    Add("p4", {"BR", "SP", "Guara", "Centro", "Rua Sete"});
    Add("p5", {"BR", "SP", "Guaracai", "Centro", "Rua Oito"});
    Add("p6", {"BR", "RJ", "Niteroi", "Icarai", "Rua Nove"});
    Add("p7", {"PT", "11", "Lisboa", "Alfama", "Rua Dez"});
    log_.Take();
  }

  void Add(const std::string& id, const places::Location& location) {
    Value(table_.Create(places::Place{.id = id, .name = "Place " + id, .location = location}));
  }
  std::vector<std::string> In(const places::Location& region) {
    return Ids(Value(places::PlacesIn(table_, region).All()));
  }

  RequestLog log_;
  Database database_ = Value(Database::InMemory());
  EntityTable table_ = Value(places::Open(database_, log_.observer()));
};

TEST_F(PlacesTest, APlaceIsOneGetItem) {
  EXPECT_EQ(Value(table_.Get(places::Place{.id = "p2"})).location.street, "Rua Augusta #5");
  EXPECT_EQ(Cost(log_), "GetItem, 0.5 read");
}

TEST_F(PlacesTest, PlacesOfAnyLevelAreOneQuery) {
  EXPECT_THAT(In({.country = "BR"}), ElementsAre("p6", "p4", "p5", "p3", "p1", "p2"));
  EXPECT_EQ(Cost(log_), "Query, 0.5 read");
  EXPECT_THAT(In({.country = "BR", .state = "SP"}), ElementsAre("p4", "p5", "p3", "p1", "p2"));
  EXPECT_EQ(Cost(log_), "Query, 0.5 read");
  EXPECT_THAT(In({.country = "BR", .state = "SP", .city = "SaoPaulo"}),
              ElementsAre("p3", "p1", "p2"));
  EXPECT_EQ(Cost(log_), "Query, 0.5 read");
  EXPECT_THAT(In({.country = "BR", .state = "SP", .city = "SaoPaulo", .district = "Pinheiros"}),
              ElementsAre("p1", "p2"));
  EXPECT_EQ(Cost(log_), "Query, 0.5 read");
  EXPECT_THAT(In({.country = "AR"}), IsEmpty());
}

TEST_F(PlacesTest, ALevelDoesNotMatchALongerName) {
  EXPECT_THAT(In({.country = "BR", .state = "SP", .city = "Guara"}), ElementsAre("p4"));
  EXPECT_THAT(In({.country = "BR", .state = "S"}), IsEmpty());
}

TEST_F(PlacesTest, ARegionWithAMissingLevelIsRejected) {
  for (const places::Location& region :
       {places::Location{.country = "BR", .city = "SaoPaulo"},
        places::Location{.country = "BR", .district = "Centro"},
        places::Location{.country = "BR", .state = "SP", .district = "Centro"},
        places::Location{.state = "SP"}, places::Location{}}) {
    EXPECT_THAT(places::PlacesIn(table_, region).All(), StatusIs(StatusCode::kValidation, _));
  }
}

TEST_F(PlacesTest, PlacesAreReadInPages) {
  const auto brazil = places::PlacesIn(table_, {.country = "BR"}).Limit(4);
  const auto first = Value(brazil.Page());
  EXPECT_THAT(Ids(first.items), ElementsAre("p6", "p4", "p5", "p3"));
  const auto second = Value(EntityQuery(brazil).From(first.next_cursor).Page());
  EXPECT_THAT(Ids(second.items), ElementsAre("p1", "p2"));
  EXPECT_EQ(second.next_cursor, "");
}

TEST_F(PlacesTest, AddingAPlaceWritesItsTwoIndexEntries) {
  Value(table_.Create(places::Place{
      .id = "p8", .name = "New", .location = {"BR", "RJ", "Niteroi", "Icarai", "R"}}));
  EXPECT_EQ(Cost(log_), "PutItem, 3 write");
}

TEST_F(PlacesTest, AMovedPlaceIsFoundAtItsNewLocation) {
  const places::Place moved = {
      .id = "p7", .location = {"BR", "SP", "SaoPaulo", "Se", "Rua Um"}, .point = {-23.55, -46.634}};
  const places::Place stored = Value(places::Move(table_, moved));
  EXPECT_EQ(stored.name, "Place p7");
  EXPECT_EQ(stored.cell, places::Geohash(moved.point, places::kCellLength));
  EXPECT_THAT(In({.country = "PT"}), IsEmpty());
  EXPECT_THAT(In({.country = "BR", .state = "SP", .city = "SaoPaulo", .district = "Se"}),
              ElementsAre("p7"));
  EXPECT_THAT(Ids(Value(places::FindNear(table_, moved.point, 100))), ElementsAre("p7"));
  EXPECT_THAT(places::Move(table_, {.id = "p9", .location = moved.location}),
              StatusIs(StatusCode::kResourceNotFound, _));
}

TEST_F(PlacesTest, NearPlacesAreOneQueryOfNineCells) {
  EXPECT_THAT(places::LoadSampleData(table_), IsOk());
  log_.Take();
  const places::Point here = {-23.566, -46.69};
  EXPECT_THAT(Ids(Value(places::FindNear(table_, here, 500))), ElementsAre("p1"));
  EXPECT_EQ(Cost(log_), "Query, 4.5 read");
  EXPECT_THAT(Ids(Value(places::FindNear(table_, here, 3000))), ElementsAre("p1", "p2"))
      << "the nearest first";
  EXPECT_THAT(places::FindNear(table_, {0, 10}, 3000), IsOkAndHolds(IsEmpty()));
  EXPECT_THAT(places::FindNear(table_, here, 5000),
              StatusIs(StatusCode::kValidation, "the distance is greater than a cell"));
}

// The points of a grid around a point are found exactly if they are near, also beyond the borders of
// its cell, at the equator, at longitude 0 and at longitude 180.
TEST_F(PlacesTest, NearPlacesAreFoundAcrossTheBordersOfCells) {
  for (const places::Point& here :
       {places::Point{0, 20}, places::Point{51.5, 0.0001}, places::Point{-17, 179.9999},
        places::Point{-17, -179.9999}, places::Point{60, 25}}) {
    const places::Location location = {"XX", "X", "X", "X", "X"};
    std::vector<std::string> expected;
    for (int north = -2; north <= 2; ++north) {
      for (int east = -2; east <= 2; ++east) {
        places::Place place = {.id = std::to_string(north) + "," + std::to_string(east),
                               .location = location,
                               .point = {here.latitude + north * 0.006,
                                         std::remainder(here.longitude + east * 0.006, 360.0)}};
        if (places::Metres(here, place.point) <= 1000) expected.push_back(place.id);
        Value(table_.Put(place));
      }
    }
    EXPECT_THAT(Ids(Value(places::FindNear(table_, here, 1000))),
                testing::UnorderedElementsAreArray(expected))
        << here.latitude << " " << here.longitude;
    EXPECT_GE(expected.size(), 5U);
  }
}

TEST(GeohashTest, APointHasItsPublishedGeohash) {
  EXPECT_EQ(places::Geohash({57.64911, 10.40744}, 11), "u4pruydqqvj");
  EXPECT_EQ(places::CellsAround({57.64911, 10.40744}).size(), 9U);
}

TEST(GeohashTest, DistancesAreInMetres) {
  EXPECT_NEAR(places::Metres({52.52, 13.405}, {48.8566, 2.3522}), 878'000, 2'000);
  EXPECT_EQ(places::Metres({1, 2}, {1, 2}), 0);
}

}  // namespace
}  // namespace dolmen
