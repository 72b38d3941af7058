// Orders with their items, returns, shipments and events, under the document's keys. The key of a
// return begins with the key of its item, and the key of an event with the key of its shipment. So
// one request reads an item with its returns. In exchange, no prefix finds the items alone: a query
// of the items also pays for their returns (models/course has keys that avoid this).

#pragma once

#include <dolmen/entity.h>

#include <array>
#include <cstdint>
#include <string>

namespace dolmen::orders {

enum class OrderStatus : std::uint8_t { kDraft, kPlaced, kShipped, kDelivered, kCancelled };

constexpr auto Spellings(OrderStatus) {
  return std::to_array<Spelling<OrderStatus>>({{OrderStatus::kDraft, "draft"},
                                               {OrderStatus::kPlaced, "placed"},
                                               {OrderStatus::kShipped, "shipped"},
                                               {OrderStatus::kDelivered, "delivered"},
                                               {OrderStatus::kCancelled, "cancelled"}});
}

struct Order {
  std::string id = {};
  std::string customer_id = {};
  OrderStatus status = OrderStatus::kDraft;  // kDraft while Place writes the items
  Timestamp created_at = {};                 // 1970-01-01 = now

  friend bool operator==(const Order&, const Order&) = default;
};

constexpr auto DescribeEntity(const Order*) {
  return DefineEntity<Order>(
      "order",
      {Attribute<&Order::id>("orderId").InKeyOnly(), Attribute<&Order::customer_id>("customerId"),
       Attribute<&Order::status>("status"),
       Attribute<&Order::created_at>("createdAt").IfUnset<Now>().ReadOnly()},
      {PrimaryKey("ORDER#{orderId}", "ORDER#{orderId}")});
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
      {PrimaryKey("ORDER#{orderId}", "ITEM#{itemId}#RETURN#{returnId}")});
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
  std::string id = {};  // sorts a shipment's events
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
      {PrimaryKey("ORDER#{orderId}", "SHIPMENT#{shipmentId}#EVENT#{eventId}")});
}

static_assert(CheckTable<Order, OrderItem, Return, Shipment, Event>());

}  // namespace dolmen::orders
