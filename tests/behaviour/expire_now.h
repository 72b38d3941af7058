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

  // Stores an item with this expiry time. Returns true if the item has expired: then hide_expired
  // hides the item, and ExpireNow must delete it. ExpireNow must keep an item that has not expired.
  bool Expires(const AttributeValue& value) const {
    PutSession("x", value);
    const bool hidden = IsHidden("x");
    const std::uint64_t deleted = ExpireNow();
    EXPECT_EQ(deleted, hidden ? 1u : 0u);
    EXPECT_EQ(IsStored("x"), !hidden);
    EXPECT_THAT(table().DeleteItem({.key = Key("x"), .hide_expired = false}), IsOk());
    return hidden;
  }
};

}  // namespace dolmen::behaviour
