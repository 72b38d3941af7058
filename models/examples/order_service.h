// A small order service: an example of a program whose tests need faults and a clock (README.md).
//
// The service exists twice. FirstOrderService is the first version: it passes every test without
// faults, and has four bugs. OrderService is the mended version. The same service in Python,
// JavaScript and Go is in the folders beside this file.
//
// The table "shop" is in orders.json:
//
//   item     PK               SK            attributes
//   stock    PRODUCT#lamp     STOCK         stock
//   order    CUSTOMER#ann     ORDER#1       id, product; expires, if the order is only reserved

#pragma once

#include <dolmen/dolmen.h>

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dolmen::examples {

struct Order {
  std::string customer = {};
  std::string id = {};  // unique among the orders of all customers
  std::string product = {};
};

// The members of both versions.
class OrderServiceBase {
 public:
  // Waits before a request is sent again: a program sleeps, a test moves its clock.
  using Wait = std::function<void(std::chrono::milliseconds)>;

  // REQUIRES: `table` belongs to `database`.
  OrderServiceBase(Database database, Table table, Wait wait)
      : database_(std::move(database)), table_(std::move(table)), wait_(std::move(wait)) {}

 protected:
  // Sends a request, and sends it again after a server error or throttling, up to ten times in all.
  // The AWS SDKs do this, too.
  template <typename Send>
  auto SendWithRetries(const Send& send) const -> decltype(send());

  Database database_;
  Table table_;
  Wait wait_;
};

class FirstOrderService : public OrderServiceBase {
 public:
  using OrderServiceBase::OrderServiceBase;

  // Takes one product from the stock and stores the order.
  // - kConditionalCheckFailed: the product is sold out.
  Status Place(const Order& order) const;

  // Stores up to 25 orders that another shop has sold.
  Status ImportAll(const std::vector<Order>& orders) const;

  // Returns the ids of the customer's orders.
  Result<std::vector<std::string>> List(const std::string& customer) const;

  // Returns the order. Returns nothing if it does not exist, or was reserved and has expired.
  Result<std::optional<Order>> Find(const std::string& customer, const std::string& id) const;
};

class OrderService : public OrderServiceBase {
 public:
  using OrderServiceBase::OrderServiceBase;

  // Takes one product from the stock and stores the order, in one transaction. A call with the id of
  // a placed order changes nothing.
  // - kTransactionCanceled: the product is sold out, or the order was placed over ten minutes ago.
  Status Place(const Order& order) const;
  // Do what the functions of FirstOrderService should do.
  Status ImportAll(const std::vector<Order>& orders) const;
  Result<std::vector<std::string>> List(const std::string& customer) const;
  Result<std::optional<Order>> Find(const std::string& customer, const std::string& id) const;
};

}  // namespace dolmen::examples
