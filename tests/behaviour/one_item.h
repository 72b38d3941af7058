// For tests that look at one item from many sides: a key that no other test has, and items under
// it.

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

  // The item with that key and these attributes.
  Item With(const Map& attributes, const std::string& sk = "a") const {
    Item item = Key(sk);
    for (const auto& [name, value] : attributes) item.emplace(name, value);
    return item;
  }
  void PutWith(const Map& attributes) const { Put(With(attributes)); }

  // What the item has beside its key.
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

// A Status or Result is kValidation with that message, or one that has it as a part.
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

// `levels` lists around a string, each the only element of the one around it.
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
