// Items in tests: printers for failure messages, and conversion to the stored form.

#pragma once

#include <ostream>
#include <string>
#include <string_view>
#include <utility>

#include "dolmen/attribute_value.h"
#include "dolmen/item_view.h"
#include "engine/value/codec.h"
#include "tests/support/status_matchers.h"

namespace dolmen {

inline void PrintTo(const AttributeView& value, std::ostream* out) { *out << value.ToString(); }
inline void PrintTo(const ItemView& item, std::ostream* out) { *out << item.ToString(); }
inline void PrintTo(const AttributeValue& value, std::ostream* out) {
  std::string bytes;
  const Status status = engine::EncodeValue(value, &bytes);
  *out << (status.ok() ? AttributeView(value.type(), bytes).ToString() : status.ToString());
}

namespace test {

// Returns the stored form of the item.
// REQUIRES: the item can be stored
inline StoredItem StoreItem(const Item& item) {
  std::string bytes;
  EXPECT_THAT(engine::EncodeItem(item, &bytes), IsOk());
  return *StoredItem::FromBytes(std::move(bytes));
}

inline Number N(std::string_view text) { return *Number::Parse(text); }
inline Binary B(std::string_view bytes) { return Binary{std::string(bytes)}; }

}  // namespace test
}  // namespace dolmen
