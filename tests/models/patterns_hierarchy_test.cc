// Tests of sort keys with several levels: orders.h and places.h.

#include <gtest/gtest.h>

#include "models/patterns/orders.h"
#include "models/patterns/places.h"
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

// A customer's order with the items of the published pattern, and with the item i10, whose id is a
// prefix of the id i100.
class OrdersTest : public testing::Test {
 protected:
  OrdersTest() {
    EXPECT_THAT(orders_.Place({.id = "o1", .customer_id = "u1", .placed_at = placed_at_},
                              {{.id = "i100", .product = "Lamp", .quantity = 2},
                               {.id = "i101", .product = "Chair"},
                               {.id = "i10", .product = "Bulb", .quantity = 4}}),
                IsOk());
    Add(orders::Return{"o1", "i100", "r1", "broken"});
    Add(orders::Return{"o1", "i100", "r2", "too bright"});
    Add(orders::Return{"o1", "i101", "r3", "wrong colour"});
    EXPECT_THAT(orders_.AddShipment({"o1", "s1", "Post"}), IsOk());
    EXPECT_THAT(orders_.AddShipment({"o1", "s2", "Courier"}), IsOk());
    EXPECT_THAT(orders_.AddEvent({"o1", "s1", "e1", "left the warehouse", placed_at_}), IsOk());
    EXPECT_THAT(orders_.AddEvent({"o1", "s1", "e2", "in transit", placed_at_}), IsOk());
    log_.Take();
  }

  void Add(const orders::Return& returned) { EXPECT_THAT(orders_.AddReturn(returned), IsOk()); }

  RequestLog log_;
  Database database_ = Value(Database::InMemory());
  orders::Orders orders_ = Value(orders::Orders::Open(database_, log_.observer()));
  Timestamp placed_at_ = Value(ParseIso8601("2026-04-15T10:30:00Z"));
};

TEST_F(OrdersTest, AnOrderOrAnItemIsOneGetItem) {
  EXPECT_THAT(orders_.GetOrder("o1"), IsOkAndHolds(orders::Order{"o1", "u1", placed_at_}));
  EXPECT_EQ(Cost(log_), "GetItem, 0.5 read");
  EXPECT_THAT(orders_.GetItem("o1", "i100"),
              IsOkAndHolds(orders::OrderItem{"o1", "i100", "Lamp", 2}));
  EXPECT_EQ(Cost(log_), "GetItem, 0.5 read");
  EXPECT_THAT(orders_.GetItem("o1", "i1"), StatusIs(StatusCode::kResourceNotFound, _));
}

TEST_F(OrdersTest, AWholeOrderIsOneQuery) {
  const orders::WholeOrder whole = Value(orders_.GetWhole("o1"));
  EXPECT_EQ(Cost(log_), "Query, 0.5 read");
  EXPECT_EQ(whole.order.customer_id, "u1");
  EXPECT_THAT(Ids(whole.items), ElementsAre("i10", "i100", "i101"));
  EXPECT_THAT(Ids(whole.returns), ElementsAre("r1", "r2", "r3"));
  EXPECT_THAT(Ids(whole.shipments), ElementsAre("s1", "s2"));
  EXPECT_THAT(Ids(whole.events), ElementsAre("e1", "e2"));
  EXPECT_THAT(orders_.GetWhole("o9").status(),
              StatusIs(StatusCode::kResourceNotFound, "there is no order o9"));
}

TEST_F(OrdersTest, ListItemsReturnsNoReturns) {
  EXPECT_THAT(orders_.ListItems("o1"),
              IsOkAndHolds(ElementsAre(orders::OrderItem{"o1", "i10", "Bulb", 4},
                                       orders::OrderItem{"o1", "i100", "Lamp", 2},
                                       orders::OrderItem{"o1", "i101", "Chair", 1})));
  EXPECT_EQ(Cost(log_), "Query, 0.5 read");
}

TEST_F(OrdersTest, ReturnsAreListedForAllItemsOrForOne) {
  EXPECT_THAT(Ids(Value(orders_.ListReturns("o1"))), ElementsAre("r1", "r2", "r3"));
  EXPECT_EQ(Cost(log_), "Query, 0.5 read");
  EXPECT_THAT(orders_.ListReturnsOf("o1", "i100"),
              IsOkAndHolds(ElementsAre(orders::Return{"o1", "i100", "r1", "broken"},
                                       orders::Return{"o1", "i100", "r2", "too bright"})));
  EXPECT_EQ(Cost(log_), "Query, 0.5 read");
  EXPECT_THAT(orders_.ListReturnsOf("o1", "i10"), IsOkAndHolds(IsEmpty()))
      << "the returns of i100 do not belong to i10";
}

TEST_F(OrdersTest, ListShipmentsReturnsNoEvents) {
  EXPECT_THAT(orders_.ListShipments("o1"),
              IsOkAndHolds(ElementsAre(orders::Shipment{"o1", "s1", "Post"},
                                       orders::Shipment{"o1", "s2", "Courier"})));
  EXPECT_EQ(Cost(log_), "Query, 0.5 read");
  EXPECT_THAT(Ids(Value(orders_.ListEventsOf("o1", "s1"))), ElementsAre("e1", "e2"));
  EXPECT_EQ(Cost(log_), "Query, 0.5 read");
  EXPECT_THAT(orders_.ListEventsOf("o1", "s2"), IsOkAndHolds(IsEmpty()));
}

TEST_F(OrdersTest, PlaceWritesTheWholeOrderOrNothing) {
  EXPECT_THAT(orders_.Place({.id = "o2", .customer_id = "u1"}, {{.id = "i1"}, {.id = "i2"}}),
              IsOk());
  EXPECT_EQ(Cost(log_), "TransactWriteItems, 6 write");
  EXPECT_THAT(orders_.Place({.id = "o1", .customer_id = "u2"}, {{.id = "i9"}}),
              StatusIs(StatusCode::kResourceInUse, HasSubstr("order")));
  EXPECT_THAT(orders_.GetItem("o1", "i9"), StatusIs(StatusCode::kResourceNotFound, _));
  EXPECT_THAT(orders_.Place({.id = "o3", .customer_id = "u2"}, {{.id = "i1"}, {.id = "i#2"}}),
              StatusIs(StatusCode::kValidation, HasSubstr("itemId")));
  EXPECT_THAT(orders_.GetOrder("o3"), StatusIs(StatusCode::kResourceNotFound, _));
}

TEST_F(OrdersTest, AddingToAnOrderIsATransactionWithACheck) {
  EXPECT_THAT(orders_.AddReturn({"o1", "i10", "r4", "dim"}), IsOk());
  EXPECT_EQ(Cost(log_), "TransactWriteItems, 4 write");
  EXPECT_THAT(orders_.AddShipment({"o1", "s3", "Post"}), IsOk());
  EXPECT_EQ(Cost(log_), "TransactWriteItems, 4 write");
  EXPECT_THAT(orders_.AddEvent({"o1", "s3", "e1", "lost"}), IsOk());
  EXPECT_EQ(Cost(log_), "TransactWriteItems, 4 write");
}

TEST_F(OrdersTest, AddingRequiresTheParentItem) {
  EXPECT_THAT(orders_.AddReturn({"o1", "i9", "r9", "?"}),
              StatusIs(StatusCode::kResourceNotFound, HasSubstr("orderItem")));
  EXPECT_THAT(orders_.AddShipment({"o9", "s9", "?"}),
              StatusIs(StatusCode::kResourceNotFound, HasSubstr("order")));
  EXPECT_THAT(orders_.AddEvent({"o1", "s9", "e9", "?"}),
              StatusIs(StatusCode::kResourceNotFound, HasSubstr("shipment")));
  EXPECT_THAT(orders_.AddReturn({"o1", "i100", "r1", "again"}),
              StatusIs(StatusCode::kResourceInUse, _));
  EXPECT_EQ(Value(orders_.ListReturns("o1")).size(), 3U);
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
    EXPECT_THAT(places_.Add({id, "Place " + id, location}), IsOk());
  }
  std::vector<std::string> In(const places::Region& region) {
    return Ids(Value(places_.ListPlaces({.region = region})).items);
  }

  RequestLog log_;
  Database database_ = Value(Database::InMemory());
  places::Places places_ = Value(places::Places::Open(database_, log_.observer()));
};

TEST_F(PlacesTest, APlaceIsOneGetItem) {
  EXPECT_THAT(places_.GetPlace("p2"),
              IsOkAndHolds(places::Place{
                  "p2", "Place p2", {"BR", "SP", "SaoPaulo", "Pinheiros", "Rua Augusta #5"}}));
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
  for (const places::Region& region :
       {places::Region{.country = "BR", .city = "SaoPaulo"},
        places::Region{.country = "BR", .district = "Centro"},
        places::Region{.country = "BR", .state = "SP", .district = "Centro"},
        places::Region{.state = "SP"}, places::Region{}}) {
    EXPECT_THAT(places_.ListPlaces({.region = region}).status(),
                StatusIs(StatusCode::kValidation, _));
  }
}

TEST_F(PlacesTest, ListPlacesReturnsPages) {
  const auto first = Value(places_.ListPlaces({.region = {.country = "BR"}, .limit = 4}));
  EXPECT_THAT(Ids(first.items), ElementsAre("p6", "p4", "p5", "p3"));
  const auto second = Value(
      places_.ListPlaces({.region = {.country = "BR"}, .cursor = first.next_cursor, .limit = 4}));
  EXPECT_THAT(Ids(second.items), ElementsAre("p1", "p2"));
  EXPECT_EQ(second.next_cursor, "");
}

TEST_F(PlacesTest, AddingAnExistingPlaceIsRejected) {
  EXPECT_THAT(places_.Add({"p8", "New", {"BR", "RJ", "Niteroi", "Icarai", "Rua Um"}}), IsOk());
  EXPECT_EQ(Cost(log_), "PutItem, 2 write");
  EXPECT_THAT(places_.Add({"p8", "Other", {"BR", "SP", "Guara", "Centro", "Rua Um"}}),
              StatusIs(StatusCode::kResourceInUse, _));
  EXPECT_EQ(Value(places_.GetPlace("p8")).name, "New");
}

TEST_F(PlacesTest, AMovedPlaceIsFoundAtItsNewLocation) {
  EXPECT_THAT(places_.Move("p7", {"BR", "SP", "SaoPaulo", "Se", "Rua Um"}), IsOk());
  EXPECT_EQ(Cost(log_), "UpdateItem, 3 write") << "the item 1, its old and its new index entry 2";
  EXPECT_THAT(In({.country = "PT"}), IsEmpty());
  EXPECT_THAT(In({.country = "BR", .state = "SP", .city = "SaoPaulo", .district = "Se"}),
              ElementsAre("p7"));
  EXPECT_THAT(places_.Move("p9", {"BR", "SP", "SaoPaulo", "Se", "Rua Um"}),
              StatusIs(StatusCode::kResourceNotFound, _));
}

TEST_F(PlacesTest, LevelsThatAKeyCannotHoldAreRejected) {
  for (const places::Location& bad : {places::Location{"BR", "", "Guara", "Centro", "Rua Um"},
                                      places::Location{"BR", "S#P", "Guara", "Centro", "Rua Um"}}) {
    EXPECT_THAT(places_.Add({"p9", "Nowhere", bad}),
                StatusIs(StatusCode::kValidation, HasSubstr("state")));
    EXPECT_THAT(places_.Move("p1", bad), StatusIs(StatusCode::kValidation, HasSubstr("state")));
  }
  EXPECT_THAT(places_.GetPlace("p9"), StatusIs(StatusCode::kResourceNotFound, _));
  EXPECT_EQ(Value(places_.GetPlace("p1")).location.state, "SP");
}

}  // namespace
}  // namespace dolmen
