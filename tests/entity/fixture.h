// A fixture for tests of the entity layer: the hotels' table in memory, with a manual clock and
// access to the stored items.

#pragma once

#include <dolmen/dolmen.h>
#include <dolmen/entity.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/entity/hotel.h"
#include "tests/support/items.h"
#include "tests/support/status_matchers.h"
#include "tests/support/value.h"

namespace dolmen::hotel {

using test::IsOk;
using test::IsOkAndHolds;
using test::N;
using test::StatusIs;
using test::Value;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Optional;

inline constexpr auto kValidation = StatusCode::kValidation;
inline constexpr auto kNotFound = StatusCode::kResourceNotFound;
inline constexpr auto kInUse = StatusCode::kResourceInUse;
inline constexpr auto kConflict = StatusCode::kTransactionConflict;
inline constexpr auto kConditionFailed = StatusCode::kConditionalCheckFailed;
inline constexpr auto kCorruption = StatusCode::kCorruption;

inline Timestamp Time(std::string_view text) { return Value(ParseIso8601(text)); }

// Matches an error message with this entity, attribute and problem.
inline auto Says(const std::string& entity, const std::string& attribute,
                 const std::string& problem = "") {
  return AllOf(HasSubstr(entity), HasSubstr(attribute), HasSubstr(problem));
}

class EntityTest : public testing::Test {
 protected:
  EntityTest()
      : database_(Value(Database::InMemory({.clock = clock_, .expiry_lag = std::nullopt}))),
        table_(Value(EntityTable::Open(database_, {.name = "hotels",
                                                   .indexes = {"GSI1", "GSI2"},
                                                   .time_to_live = "expiresAt",
                                                   .observer = log_.observer()}))) {}

  const EntityTable& table() const { return table_; }

  static Item Key(const std::string& partition, const std::string& sort) {
    return {{"PK", partition}, {"SK", sort}};
  }

  // Returns the stored item; an empty item if it does not exist.
  Item Stored(const Item& key) const {
    const GetItemOutput got = Value(table_.table().GetItem({.key = key}));
    return got.item ? Value(got.item->Copy()) : Item();
  }
  // Stores an item without the entity layer, as another program would.
  void Store(const Item& item) const { Value(table_.table().PutItem({.item = item})); }

  // Returns DynamoDB's names of the operations that the table has sent since the last call.
  std::vector<std::string> Operations() const {
    std::vector<std::string> operations;
    for (const RequestTrace& trace : log_.Take()) operations.push_back(trace.operation);
    return operations;
  }

  RequestLog log_;
  std::shared_ptr<ManualClock> clock_ =
      std::make_shared<ManualClock>(Time("2026-04-15T10:30:00.250Z"));
  Database database_;
  EntityTable table_;
};

// Returns a booking of the hotel h1. Does not write it.
inline Booking NewBooking(const std::string& id) {
  return {.hotel_id = "h1", .arrival = Time("2026-05-01T15:00:00Z"), .id = id, .guest_id = "g1"};
}

// Returns room 101 of the hotel h1. Does not write it.
inline Room TheRoom() {
  return {.hotel_id = "h1",
          .number = 101,
          .kind = RoomKind::kDouble,
          .price = 120,
          .note = "quiet",
          .features = {"balcony", "bath"}};
}

}  // namespace dolmen::hotel
