// A fixture for tests of ExpireNow: a table whose time to live is enabled.

#pragma once

#include <cstdint>

#include "tests/behaviour/expiring_table.h"

namespace dolmen::behaviour {

class ExpireNowTest : public ExpiringTableTest {
 protected:
  void SetUp() override {
    ExpiringTableTest::SetUp();
    Enable();
  }

  // Stores an item with this expiry time and returns true if hide_expired hides the item. Expects
  // that ExpireNow deletes the item if it is hidden, and keeps the item otherwise. Deletes the item
  // at the end.
  bool Expires(const AttributeValue& value) const {
    PutSession("x", value);
    const bool hidden = IsHidden("x");
    const std::uint64_t deleted = ExpireNow();
    EXPECT_EQ(deleted, hidden ? 1u : 0u);
    EXPECT_EQ(IsStored("x"), !hidden);
    EXPECT_THAT(table().DeleteItem({.key = Key("x"), .options = {.hide_expired = false}}), IsOk());
    return hidden;
  }
};

}  // namespace dolmen::behaviour
