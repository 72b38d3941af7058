// A fixture for tests that send many requests for one item. Each test has a partition key that no
// other test has.

#pragma once

#include <string>
#include <utility>

#include "tests/behaviour/fixture.h"
#include "tests/support/items.h"

namespace dolmen::behaviour {

using test::N;

class OneItemTest : public TableTest {
 protected:
  const std::string& pk() const { return pk_; }
  Item Key(const std::string& sk = "a") const { return {{"PK", pk_}, {"SK", sk}}; }

  // Returns an item with the test's partition key, this sort key and these attributes.
  Item With(const Map& attributes, const std::string& sk = "a") const {
    Item item = Key(sk);
    for (const auto& [name, value] : attributes) item.emplace(name, value);
    return item;
  }
  void PutWith(const Map& attributes) const { Put(With(attributes)); }

  // Returns the attributes of the stored item except its key. Returns none if no item is stored.
  Map Attributes() const {
    Item item = Get(Key());
    item.erase("PK");
    item.erase("SK");
    return item;
  }

  Result<WriteItemOutput> PutIf(const ConditionExpression& condition, const Values& values = {},
                                const Names& names = {}) const {
    return table().PutItem(
        {.item = Key(), .condition = condition, .names = names, .values = values});
  }
  Result<WriteItemOutput> Update(const UpdateExpression& update, const Values& values = {},
                                 const Names& names = {}) const {
    return table().UpdateItem({.key = Key(), .update = update, .names = names, .values = values});
  }

 private:
  const std::string pk_ = UniqueKey();
};

// Match a Status or Result with the code kValidation. IsInvalid compares the whole message;
// IsInvalidWith looks for a part of it.
inline auto IsInvalid(const std::string& message) {
  return StatusIs(kValidation, testing::StrEq(message));
}
inline auto IsInvalidWith(const std::string& part) {
  return StatusIs(kValidation, HasSubstr(part));
}
inline auto FailsCondition() {
  return StatusIs(StatusCode::kConditionalCheckFailed,
                  testing::StrEq("The conditional request failed"));
}

// Returns `levels` lists around a string. Each list is the only element of the list around it.
inline AttributeValue Nested(int levels) {
  AttributeValue value = "leaf";
  for (int i = 0; i < levels; ++i) {
    List list;
    list.push_back(std::move(value));
    value = std::move(list);
  }
  return value;
}

}  // namespace dolmen::behaviour
