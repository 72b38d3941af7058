// Drivers, which evaluate expressions in two ways: through the C++ API, and in DynamoDB's JSON. An
// expression must have the same outcome in each way.

#pragma once

#include <dolmen/dolmen.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace dolmen::behaviour {

// An expression, and the names and values of its placeholders. Borrows all three.
struct ExpressionInput {
  const std::string& text;
  const Values& values;
  const Names& names;
};

// A store of the items of one partition. Key conditions select among all items. Every other
// expression is evaluated on one item: the item with the sort key "a".
class Driver {
 public:
  virtual ~Driver() = default;

  // Returns the word that failure messages show: "API" or "wire".
  virtual std::string name() const = 0;

  virtual void Put(const Item& item) = 0;
  virtual void Delete() = 0;
  // Returns the item, or no attributes if the item is absent.
  virtual Item Get() = 0;

  // Returns the result of a ConditionExpression or a FilterExpression.
  virtual Result<bool> Holds(ExpressionKind kind, const ExpressionInput& condition) = 0;
  // Changes the item, and creates it if it is absent.
  virtual Status Update(const ExpressionInput& update) = 0;
  // Returns the part of the item that the projection selects.
  virtual Result<Item> Project(const ExpressionInput& projection) = 0;
  // Returns the sort keys in the table of the items that the key condition selects in the index.
  // The items are in the order of the index. `index` is "" for the table itself.
  virtual Result<std::vector<std::string>> Select(const ExpressionInput& key_condition,
                                                  const std::string& index) = 0;

 protected:
  explicit Driver(std::string pk) : pk_(std::move(pk)) {}
  const std::string& pk() const { return pk_; }
  Item Key() const { return {{"PK", pk_}, {"SK", "a"}}; }

 private:
  std::string pk_;
};

// Return a driver for the items of the table with the partition key `pk`.
std::unique_ptr<Driver> MakeApiDriver(const Table& table, const std::string& pk);
std::unique_ptr<Driver> MakeWireDriver(const Database& database, const std::string& table,
                                       const std::string& pk);

}  // namespace dolmen::behaviour
