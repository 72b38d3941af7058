// An entity that holds one value of any member type.

#pragma once

#include <dolmen/entity.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "tests/entity/hotel.h"
#include "tests/support/status_matchers.h"

namespace dolmen::hotel {

template <typename V>
struct Holder {
  std::string id = {};
  V value = {};

  friend bool operator==(const Holder&, const Holder&) = default;
};

template <typename V>
constexpr auto DescribeEntity(const Holder<V>*) {
  using Struct = Holder<V>;
  return DefineEntity<Struct>("holder",
                              {Attribute<&Struct::id>("id"), Attribute<&Struct::value>("value")},
                              {PrimaryKey("HOLDER#{id}")});
}

// Returns the attribute value that the item of a Holder has for the member `value`. Returns
// kValidation if the item stores nothing for this member, for example for an empty optional.
template <typename V>
Result<AttributeValue> Encoded(V value) {
  const Result<Item> item = ToItem(Holder<V>{.id = "1", .value = std::move(value)});
  if (!item.ok()) return item.status();
  const auto found = item->find("value");
  if (found == item->end()) return Status::Validation("nothing is stored");
  return found->second;
}

// Returns the item of a Holder whose attribute has the value `stored`.
inline Item HolderItem(const AttributeValue& stored) {
  return {{"PK", "HOLDER#1"}, {"entityType", "holder"}, {"id", "1"}, {"value", stored}};
}

template <typename V>
Result<V> Decoded(const AttributeValue& stored) {
  Result<Holder<V>> holder = Read<Holder<V>>(HolderItem(stored));
  if (!holder.ok()) return holder.status();
  return std::move(holder->value);
}

// Expects that a Holder with the stored value is corrupt. `problem` is the message of the codec.
template <typename V>
void ExpectCorruptValue(const AttributeValue& stored, const std::string& problem) {
  EXPECT_THAT(
      Decoded<V>(stored),
      test::StatusIs(StatusCode::kCorruption, "holder \"HOLDER#1\": attribute value " + problem));
}

// Converts a value to the bytes of an item, and returns the value that is read from these bytes.
template <typename V>
Result<V> ThereAndBack(V value) {
  const Result<Item> item = ToItem(Holder<V>{.id = "1", .value = std::move(value)});
  if (!item.ok()) return item.status();
  Result<Holder<V>> holder = Read<Holder<V>>(*item);
  if (!holder.ok()) return holder.status();
  return std::move(holder->value);
}

}  // namespace dolmen::hotel
