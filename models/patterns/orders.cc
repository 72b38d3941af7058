#include "models/patterns/orders.h"

#include <utility>

namespace dolmen::orders {
Result<Orders> Orders::Open(const Database& database, RequestObserver observer) {
  Result<EntityTable> table =
      EntityTable::Open(database, {.name = "orders", .observer = std::move(observer)});
  if (!table.ok()) return table.status();
  return Orders(*std::move(table));
}

Status Orders::Place(const Order& order, const std::vector<OrderItem>& items) const {
  EntityTransaction placing = table_.Transact();
  placing.Create(order);
  for (OrderItem item : items) {
    item.order_id = order.id;
    placing.Create(std::move(item));
  }
  return placing.Commit();
}

Status Orders::AddReturn(const Return& returned) const {
  return table_.Transact()
      .Create(returned)
      .Require(OrderItem{.order_id = returned.order_id, .id = returned.item_id})
      .Commit();
}

Status Orders::AddShipment(const Shipment& shipment) const {
  return table_.Transact().Create(shipment).Require(Order{.id = shipment.order_id}).Commit();
}

Status Orders::AddEvent(const Event& event) const {
  return table_.Transact()
      .Create(event)
      .Require(Shipment{.order_id = event.order_id, .id = event.shipment_id})
      .Commit();
}

Result<OrderItem> Orders::GetItem(const std::string& order_id, const std::string& item_id) const {
  return table_.Get(OrderItem{.order_id = order_id, .id = item_id});
}

Result<WholeOrder> Orders::GetWhole(const std::string& order_id) const {
  auto whole = table_.Query<Order, OrderItem, Return, Shipment, Event>()
                   .With<&Order::id>(order_id)
                   .Grouped();
  if (!whole.ok()) return whole.status();
  auto& [orders, items, returns, shipments, events] = *whole;
  if (orders.empty()) return Status::ResourceNotFound("there is no order " + order_id);
  return WholeOrder{std::move(orders.front()), std::move(items), std::move(returns),
                    std::move(shipments), std::move(events)};
}

Result<std::vector<OrderItem>> Orders::ListItems(const std::string& order_id) const {
  return table_.Query<OrderItem>().With<&OrderItem::order_id>(order_id).All();
}

Result<std::vector<Return>> Orders::ListReturns(const std::string& order_id) const {
  return table_.Query<Return>().With<&Return::order_id>(order_id).All();
}

Result<std::vector<Return>> Orders::ListReturnsOf(const std::string& order_id,
                                                  const std::string& item_id) const {
  return table_.Query<Return>()
      .With<&Return::order_id>(order_id)
      .With<&Return::item_id>(item_id)
      .All();
}

Result<std::vector<Shipment>> Orders::ListShipments(const std::string& order_id) const {
  return table_.Query<Shipment>().With<&Shipment::order_id>(order_id).All();
}

Result<std::vector<Event>> Orders::ListEventsOf(const std::string& order_id,
                                                const std::string& shipment_id) const {
  return table_.Query<Event>()
      .With<&Event::order_id>(order_id)
      .With<&Event::shipment_id>(shipment_id)
      .All();
}

}  // namespace dolmen::orders
