// Orders with their items, returns, shipments and events. There are three levels: the order; its
// items and shipments; returns of items and events of shipments. Each level can be read alone.
//
//   item       PK          SK                            attributes
//   order      ORDER#<id>  ORDER                         customerId, placedAt
//   orderItem  ORDER#<id>  ITEM#<item>                   product, quantity
//   return     ORDER#<id>  RETURN#<item>#<return>        reason
//   shipment   ORDER#<id>  SHIPMENT#<shipment>           carrier
//   event      ORDER#<id>  EVENT#<shipment>#<event>      what, at
//
//   access pattern                  method           request
//   an order                        GetOrder         GetItem
//   everything about an order       GetWhole         Query ORDER#<id>
//   its items, without returns      ListItems        Query ORDER#<id>, begins_with ITEM#
//   one item                        GetItem          GetItem
//   the returns of all items        ListReturns      Query ORDER#<id>, begins_with RETURN#
//   the returns of one item         ListReturnsOf    Query ORDER#<id>, begins_with RETURN#<item>#
//   its shipments, without events   ListShipments    Query ORDER#<id>, begins_with SHIPMENT#
//   the events of one shipment      ListEventsOf     Query ORDER#<id>, begins_with
//                                                      EVENT#<shipment>#
//
// In the published pattern the key of a return begins with the key of its item:
// ITEM#i100#RETURN#r1. With those keys, no prefix finds only the items or only the returns, and the
// prefix ITEM#i10 finds i100, too. Here each entity has its own prefix, so each entity can be read
// alone. Reading one item with its returns takes two requests, or one call of GetWhole.

#pragma once

#include <dolmen/entity/table.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace dolmen::orders {

struct Order {
  std::string id = {};
  std::string customer_id = {};
  Timestamp placed_at = {};  // 1970-01-01 = now

  friend bool operator==(const Order&, const Order&) = default;
};

constexpr auto DescribeEntity(const Order*) {
  return DefineEntity<Order>(
      "order",
      {Attribute<&Order::id>("orderId").InKeyOnly(), Attribute<&Order::customer_id>("customerId"),
       Attribute<&Order::placed_at>("placedAt").IfUnset<Now>().ReadOnly()},
      {PrimaryKey("ORDER#{orderId}", "ORDER")});
}

struct OrderItem {
  std::string order_id = {};
  std::string id = {};
  std::string product = {};
  std::int32_t quantity = 1;

  friend bool operator==(const OrderItem&, const OrderItem&) = default;
};

constexpr auto DescribeEntity(const OrderItem*) {
  return DefineEntity<OrderItem>(
      "orderItem",
      {Attribute<&OrderItem::order_id>("orderId").InKeyOnly(),
       Attribute<&OrderItem::id>("itemId").InKeyOnly(), Attribute<&OrderItem::product>("product"),
       Attribute<&OrderItem::quantity>("quantity")},
      {PrimaryKey("ORDER#{orderId}", "ITEM#{itemId}")});
}

struct Return {
  std::string order_id = {};
  std::string item_id = {};
  std::string id = {};
  std::string reason = {};

  friend bool operator==(const Return&, const Return&) = default;
};

constexpr auto DescribeEntity(const Return*) {
  return DefineEntity<Return>(
      "return",
      {Attribute<&Return::order_id>("orderId").InKeyOnly(),
       Attribute<&Return::item_id>("itemId").InKeyOnly(),
       Attribute<&Return::id>("returnId").InKeyOnly(), Attribute<&Return::reason>("reason")},
      {PrimaryKey("ORDER#{orderId}", "RETURN#{itemId}#{returnId}")});
}

struct Shipment {
  std::string order_id = {};
  std::string id = {};
  std::string carrier = {};

  friend bool operator==(const Shipment&, const Shipment&) = default;
};

constexpr auto DescribeEntity(const Shipment*) {
  return DefineEntity<Shipment>("shipment",
                                {Attribute<&Shipment::order_id>("orderId").InKeyOnly(),
                                 Attribute<&Shipment::id>("shipmentId").InKeyOnly(),
                                 Attribute<&Shipment::carrier>("carrier")},
                                {PrimaryKey("ORDER#{orderId}", "SHIPMENT#{shipmentId}")});
}

struct Event {
  std::string order_id = {};
  std::string shipment_id = {};
  std::string id = {};  // sorts a shipment's events: a ULID or, as in the tests, a number
  std::string what = {};
  Timestamp at = {};  // 1970-01-01 = now

  friend bool operator==(const Event&, const Event&) = default;
};

constexpr auto DescribeEntity(const Event*) {
  return DefineEntity<Event>(
      "event",
      {Attribute<&Event::order_id>("orderId").InKeyOnly(),
       Attribute<&Event::shipment_id>("shipmentId").InKeyOnly(),
       Attribute<&Event::id>("eventId").InKeyOnly(), Attribute<&Event::what>("what"),
       Attribute<&Event::at>("at").IfUnset<Now>().ReadOnly()},
      {PrimaryKey("ORDER#{orderId}", "EVENT#{shipmentId}#{eventId}")});
}

// An order with its items, returns, shipments and events. Each of the four lists is sorted by id.
struct WholeOrder {
  Order order = {};
  std::vector<OrderItem> items = {};
  std::vector<Return> returns = {};
  std::vector<Shipment> shipments = {};
  std::vector<Event> events = {};
};

// The table of orders. Thread-safe. All lists of an order that does not exist are empty. Errors
// besides the database's own:
// - kResourceNotFound: the order, item or shipment does not exist.
// - kResourceInUse: the thing to create exists already.
// - kValidation: an id is empty or holds a '#'.
// A call that returns an error has written nothing.
class Orders {
 public:
  // Opens the table `orders`, and creates it if it does not exist.
  static Result<Orders> Open(const Database& database, RequestObserver observer = {});

  // Creates an order with at most 99 items. Place sets the order_id of the items, so the caller
  // may leave it empty. TransactWriteItems: Put the order and each item with
  // attribute_not_exists(PK).
  Status Place(const Order& order, const std::vector<OrderItem>& items) const;

  // Add a return to an item (AddReturn), a shipment to an order (AddShipment), and an event to a
  // shipment (AddEvent). TransactWriteItems: Put with attribute_not_exists(PK), and ConditionCheck
  // that the item, order or shipment exists.
  Status AddReturn(const Return& returned) const;
  Status AddShipment(const Shipment& shipment) const;
  Status AddEvent(const Event& event) const;

  // Returns an order or an item. GetItem.
  Result<Order> GetOrder(const std::string& id) const { return table_.Get(Order{.id = id}); }
  Result<OrderItem> GetItem(const std::string& order_id, const std::string& item_id) const;

  // Returns an order with everything that belongs to it. One Query: PK = ORDER#<id>, SK BETWEEN
  // the least and the greatest key of these entities.
  Result<WholeOrder> GetWhole(const std::string& order_id) const;

  // Return parts of an order. Query PK = ORDER#<id>, begins_with(SK, ...), as the table at the top
  // of this file shows.
  Result<std::vector<OrderItem>> ListItems(const std::string& order_id) const;
  Result<std::vector<Return>> ListReturns(const std::string& order_id) const;
  Result<std::vector<Return>> ListReturnsOf(const std::string& order_id,
                                            const std::string& item_id) const;
  Result<std::vector<Shipment>> ListShipments(const std::string& order_id) const;
  Result<std::vector<Event>> ListEventsOf(const std::string& order_id,
                                          const std::string& shipment_id) const;

 private:
  explicit Orders(EntityTable table) : table_(std::move(table)) {}

  EntityTable table_;
};

}  // namespace dolmen::orders
