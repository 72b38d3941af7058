// The requests of orders. A single entity needs no function of its own:
//
//   table.Get(Order{.id = "o1"});
//   table.Get(OrderItem{.order_id = "o1", .id = "i100"});
//
// A function that lists entities returns the query. The caller reads it with All, Page or Count.

#pragma once

#include <dolmen/entity/describe.h>

#include "models/patterns/orders/entities.h"

namespace dolmen::orders {

// Opens the table, and creates it if it does not exist.
inline Result<EntityTable> Open(const Database& database, RequestObserver observer = {}) {
  return EntityTable::Open(database, {.name = "orders", .observer = std::move(observer)});
}

// Changes the status of an order from `from` to `to`. UpdateItem with a condition.
// - kConditionalCheckFailed: the order has a different status.
inline Status ChangeStatus(const EntityTable& table, const std::string& order_id, OrderStatus from,
                           OrderStatus to) {
  return table.Update(Order{.id = order_id})
      .Set<&Order::status>(to)
      .If(AttrOf<&Order::status>() == from, "the order has a different status")
      .Commit()
      .status();
}

// Places an order with any number of items; sets their order_id. The order is a draft until all items
// are written, so the order becomes kPlaced at one moment. UpdateItem of the draft, a BatchWriteItem
// for each 25 items, and UpdateItem of the status. After an error the call can be repeated.
// - kConditionalCheckFailed: the order was placed already.
inline Status Place(const EntityTable& table, const Order& order, std::vector<OrderItem> items) {
  using enum OrderStatus;
  for (OrderItem& item : items) item.order_id = order.id;
  const AttrOf<&Order::status> status;
  return table.Update(Order{.id = order.id})
      .Set<&Order::customer_id>(order.customer_id)
      .If(status == kDraft || status.NotExists(), "the order was placed already")
      .OrCreate()
      .Commit()
      .and_then([&](const Order&) { return table.BatchPut(std::move(items)); })
      .and_then([&] { return ChangeStatus(table, order.id, kDraft, kPlaced); });
}

// Add a return to an item, a shipment to an order that is not cancelled, and an event to a shipment.
// TransactWriteItems: Put with attribute_not_exists(PK), and ConditionCheck of the owner.
inline Status AddReturn(const EntityTable& table, const Return& returned) {
  const OrderItem owner = {.order_id = returned.order_id, .id = returned.item_id};
  return table.Transact().Create(returned).Require(owner).Commit();
}
inline Status AddShipment(const EntityTable& table, const Shipment& shipment) {
  const auto is_alive = AttrOf<&Order::status>() != OrderStatus::kCancelled;
  return table.Transact()
      .Create(shipment)
      .Require(Order{.id = shipment.order_id}, is_alive, "the order is cancelled")
      .Commit();
}
inline Status AddEvent(const EntityTable& table, const Event& event) {
  const Shipment owner = {.order_id = event.order_id, .id = event.shipment_id};
  return table.Transact().Create(event).Require(owner).Commit();
}

// Returns the query of an order and everything that belongs to it; its Grouped returns a vector of
// each entity. Query PK = ORDER#<id>.
inline auto WholeOrder(const EntityTable& table, const std::string& order_id) {
  return table.Query<Order, OrderItem, Return, Shipment, Event>().With<&Order::id>(order_id);
}

// Returns the query of an order's items, each followed by its returns. Query PK = ORDER#<id>,
// begins_with(SK, ITEM#).
inline auto ItemsAndReturnsOf(const EntityTable& table, const std::string& order_id) {
  return table.Query<OrderItem, Return>().With<&OrderItem::order_id>(order_id);
}

// Returns the query of one item, followed by its returns. The `key` needs only the ids. Query PK =
// ORDER#<id>, SK from ITEM#<item>.
inline auto ItemWithReturns(const EntityTable& table, const OrderItem& key) {
  return ItemsAndReturnsOf(table, key.order_id).With<&OrderItem::id>(key.id);
}

// Returns the query of the goods that were sent back of one item. Query PK = ORDER#<id>, begins_with(SK,
// ITEM#<item>#RETURN#).
inline EntityQuery<Return> ReturnsOf(const EntityTable& table, const OrderItem& key) {
  return table.Query<Return>().With<&Return::order_id>(key.order_id).With<&Return::item_id>(key.id);
}

// Returns the query of an order's shipments, each followed by its events. Query PK = ORDER#<id>,
// begins_with(SK, SHIPMENT#).
inline auto ShipmentsOf(const EntityTable& table, const std::string& order_id) {
  return table.Query<Shipment, Event>().With<&Shipment::order_id>(order_id);
}

// Returns the query of the events of one shipment. Query PK = ORDER#<id>, begins_with(SK,
// SHIPMENT#<shipment>#EVENT#).
inline EntityQuery<Event> EventsOf(const EntityTable& table, const Shipment& key) {
  return table.Query<Event>()
      .With<&Event::order_id>(key.order_id)
      .With<&Event::shipment_id>(key.id);
}

// Deletes an order and everything that belongs to it; does nothing if the order does not exist. A part
// that another call adds at the same time can remain; a second call deletes it. Query, and
// BatchWriteItem for each 25 items.
inline Status Delete(const EntityTable& table, const std::string& order_id) {
  return RemoveAll(table, WholeOrder(table, order_id));
}

// Returns the design of the table. README.md shows it, and a test compares them
// (tests/models/readme_test.cc).
inline TableDesign Design() {
  return Describe<Order, OrderItem, Return, Shipment, Event>(
      "orders",
      {AccessPattern("An order", "Get").With<&Order::id>(),
       AccessPattern("The items of an order", "ItemsAndReturnsOf").With<&OrderItem::order_id>(),
       AccessPattern("An item", "Get").WithKey<OrderItem>(),
       AccessPattern("The returns of one item", "ReturnsOf")
           .With<&Return::order_id>()
           .With<&Return::item_id>(),
       AccessPattern("The shipments of an order", "ShipmentsOf").With<&Shipment::order_id>(),
       AccessPattern("The events of one shipment", "EventsOf")
           .With<&Event::order_id>()
           .With<&Event::shipment_id>()});
}

// Stores sample data: the document's order o1. A second call stores the same items again, so it undoes
// changes of them.
inline Status LoadSampleData(const EntityTable& table) {
  using namespace std::chrono;
  constexpr sys_days kPlaced = 2024y / 9 / 2;
  EntityTransaction load = table.Transact();
  load.Put(Order{"o1", "u1", OrderStatus::kShipped, kPlaced});
  load.Put(OrderItem{"o1", "i100", "Lamp", 2}).Put(OrderItem{"o1", "i101", "Chair", 1});
  load.Put(Return{"o1", "i100", "r1", "broken"}).Put(Return{"o1", "i100", "r2", "too bright"});
  load.Put(Return{"o1", "i101", "r3", "wrong colour"});
  load.Put(Shipment{"o1", "s1", "Post"});
  load.Put(Event{"o1", "s1", "e1", "left the warehouse", kPlaced + 9h});
  load.Put(Event{"o1", "s1", "e2", "in transit", kPlaced + 15h});
  return load.Commit();
}

}  // namespace dolmen::orders
