#include "models/examples/order_service.h"

namespace dolmen::examples {
namespace {

Item OrderKey(const std::string& customer, const std::string& id) {
  return {{"PK", "CUSTOMER#" + customer}, {"SK", "ORDER#" + id}};
}

Item OrderItem(const Order& order) {
  Item item = OrderKey(order.customer, order.id);
  item["id"] = order.id;
  item["product"] = order.product;
  return item;
}

UpdateItemInput TakeOne(const std::string& product) {
  return {.key = {{"PK", "PRODUCT#" + product}, {"SK", "STOCK"}},
          .update = "SET stock = stock - :one",
          .condition = "stock >= :one",
          .values = {{":one", 1}}};
}

BatchWriteItemInput PutRequests(const Table& table, const std::vector<Order>& orders) {
  WriteRequests writes{.table = table};
  for (const Order& order : orders) writes.requests.push_back(PutRequest{OrderItem(order)});
  return {.requests = {std::move(writes)}};
}

std::string TextOf(const AttributeView& attribute) {
  return std::string(attribute.AsString().value_or(""));
}

}  // namespace

template <typename Send>
auto OrderServiceBase::SendWithRetries(const Send& send) const -> decltype(send()) {
  constexpr int kCallsMax = 10;
  std::chrono::milliseconds delay(50);
  for (int call = 1;; ++call, delay *= 2) {
    auto answer = send();
    const StatusCode code = answer.status().code();
    const bool can_help = code == StatusCode::kInternalServerError ||
                          code == StatusCode::kProvisionedThroughputExceeded ||
                          code == StatusCode::kThrottling;
    if (!can_help || call == kCallsMax) return answer;
    wait_(delay);
  }
}

// Bug: if the answer of the update is lost, the update is sent again and takes a second product.
Status FirstOrderService::Place(const Order& order) const {
  const auto taken = SendWithRetries([&] { return table_.UpdateItem(TakeOne(order.product)); });
  if (!taken.ok()) return taken.status();
  return SendWithRetries([&] { return table_.PutItem({.item = OrderItem(order)}); }).status();
}

// Bug: the answer can hold unprocessed items, which are lost.
Status FirstOrderService::ImportAll(const std::vector<Order>& orders) const {
  return SendWithRetries([&] { return database_.BatchWriteItem(PutRequests(table_, orders)); })
      .status();
}

// Bug: the query returns only the first page.
Result<std::vector<std::string>> FirstOrderService::List(const std::string& customer) const {
  const auto page = table_.Query({.key_condition = Partition("CUSTOMER#" + customer)});
  if (!page) return page.status();
  std::vector<std::string> ids;
  for (const ItemView order : *page) ids.push_back(TextOf(order["id"]));
  return ids;
}

// Bug: an expired item can be read until it is deleted, which takes AWS up to some days.
Result<std::optional<Order>> FirstOrderService::Find(const std::string& customer,
                                                     const std::string& id) const {
  const auto got = table_.GetItem({.key = OrderKey(customer, id)});
  if (!got) return got.status();
  if (!got->item) return std::optional<Order>();
  return std::optional(Order{customer, id, TextOf((*got->item)["product"])});
}

// The token makes a repeated request harmless for ten minutes, and the condition makes it harmless
// after that time.
Status OrderService::Place(const Order& order) const {
  const Transaction place =
      Transaction(database_, table_)
          .Update(TakeOne(order.product))
          .Put({.item = OrderItem(order), .condition = AttributeNotExists("PK")})
          .WithToken(order.id);
  return SendWithRetries([&] { return place.Commit(); }).status();
}

// Sends the unprocessed items again until none are left, and waits longer each time.
Status OrderService::ImportAll(const std::vector<Order>& orders) const {
  BatchWriteItemInput input = PutRequests(table_, orders);
  std::chrono::milliseconds delay(50);
  for (;;) {
    auto written = SendWithRetries([&] { return database_.BatchWriteItem(input); });
    if (!written || written->unprocessed_items.empty()) return written.status();
    input.requests = std::move(written->unprocessed_items);
    wait_(delay);
    delay *= 2;
  }
}

// QueryAll reads all pages.
Result<std::vector<std::string>> OrderService::List(const std::string& customer) const {
  std::vector<std::string> ids;
  ItemRange orders = table_.QueryAll({.key_condition = Partition("CUSTOMER#" + customer)});
  for (const ItemView order : orders) ids.push_back(TextOf(order["id"]));
  if (!orders.status().ok()) return orders.status();
  return ids;
}

// Compares the time of the item with the clock. The option hide_expired of Dolmen has the same
// effect, but DynamoDB does not have it.
Result<std::optional<Order>> OrderService::Find(const std::string& customer,
                                                const std::string& id) const {
  const auto got = table_.GetItem({.key = OrderKey(customer, id)});
  if (!got) return got.status();
  if (!got->item) return std::optional<Order>();
  const std::optional<std::int64_t> expires = (*got->item)["expires"].AsInt64();
  if (expires && Timestamp(std::chrono::seconds(*expires)) <= database_.clock()->Now())
    return std::optional<Order>();
  return std::optional(Order{customer, id, TextOf((*got->item)["product"])});
}

}  // namespace dolmen::examples
