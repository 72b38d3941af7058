#include "models/patterns/orders.h"

#include <variant>

namespace dolmen::orders {
namespace {

// Collects the items of an order's partition into a WholeOrder: the order, and one list for each
// other entity.
class OrderBuilder {
 public:
  void Add(Order order) {
    whole_.order = std::move(order);
    is_there_ = true;
  }
  void Add(OrderItem item) { whole_.items.push_back(std::move(item)); }
  void Add(Return returned) { whole_.returns.push_back(std::move(returned)); }
  void Add(Shipment shipment) { whole_.shipments.push_back(std::move(shipment)); }
  void Add(Event event) { whole_.events.push_back(std::move(event)); }

  Result<WholeOrder> Build(const std::string& id) && {
    if (!is_there_) return Status::ResourceNotFound("there is no order " + id);
    return std::move(whole_);
  }

 private:
  WholeOrder whole_;
  bool is_there_ = false;
};

}  // namespace

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
  auto found =
      table_.Query<Order, OrderItem, Return, Shipment, Event>().With<&Order::id>(order_id).All();
  if (!found.ok()) return found.status();
  OrderBuilder whole;
  for (auto& item : *found) {
    std::visit([&](auto& part) { whole.Add(std::move(part)); }, item);
  }
  return std::move(whole).Build(order_id);
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
