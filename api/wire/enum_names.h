// DynamoDB's names of the values of enumerations, for requests and responses in both directions.

#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "dolmen/consumed_capacity.h"
#include "dolmen/create_table.h"
#include "dolmen/describe_table.h"
#include "dolmen/operations.h"
#include "dolmen/query.h"
#include "dolmen/streams.h"
#include "dolmen/time_to_live.h"

namespace dolmen::wire {

// The names of the values of `Enum`, in their order. The static_assert after each table fails if
// the last value moves. A new last value needs a name in the table and in the static_assert.
template <typename Enum, std::size_t kCount>
struct EnumNames {
  std::array<std::string_view, kCount> names;

  // Returns the name of the value. Returns "" for a number that is no value of `Enum`.
  constexpr std::string_view NameOf(Enum value) const {
    const auto place = static_cast<std::size_t>(value);
    return place < kCount ? names[place] : std::string_view();
  }
  // Returns the value with the name, or `other` if no value has it.
  constexpr Enum ValueOf(std::string_view name, Enum other = {}) const {
    for (std::size_t i = 0; i < kCount; ++i) {
      if (names[i] == name) return static_cast<Enum>(i);
    }
    return other;
  }
};

inline constexpr EnumNames<ReturnValues, 5> kReturnValuesNames = {
    {"NONE", "ALL_OLD", "UPDATED_OLD", "ALL_NEW", "UPDATED_NEW"}};
static_assert(kReturnValuesNames.NameOf(ReturnValues::kUpdatedNew) == "UPDATED_NEW");
// A request without the parameter has the default.
inline constexpr EnumNames<Select, 5> kSelectNames = {
    {"", "ALL_ATTRIBUTES", "ALL_PROJECTED_ATTRIBUTES", "SPECIFIC_ATTRIBUTES", "COUNT"}};
static_assert(kSelectNames.NameOf(Select::kCount) == "COUNT");
inline constexpr EnumNames<ReturnConsumedCapacity, 3> kConsumedCapacityNames = {
    {"NONE", "TOTAL", "INDEXES"}};
static_assert(kConsumedCapacityNames.NameOf(ReturnConsumedCapacity::kIndexes) == "INDEXES");
inline constexpr EnumNames<TableStatus, 4> kTableStatusNames = {
    {"CREATING", "UPDATING", "DELETING", "ACTIVE"}};
static_assert(kTableStatusNames.NameOf(TableStatus::kActive) == "ACTIVE");
inline constexpr EnumNames<TimeToLiveStatus, 4> kTimeToLiveStatusNames = {
    {"DISABLED", "ENABLING", "ENABLED", "DISABLING"}};
static_assert(kTimeToLiveStatusNames.NameOf(TimeToLiveStatus::kDisabling) == "DISABLING");
inline constexpr EnumNames<ShardIteratorType, 4> kShardIteratorTypeNames = {
    {"TRIM_HORIZON", "LATEST", "AT_SEQUENCE_NUMBER", "AFTER_SEQUENCE_NUMBER"}};
static_assert(kShardIteratorTypeNames.NameOf(ShardIteratorType::kAfterSequenceNumber) ==
              "AFTER_SEQUENCE_NUMBER");
inline constexpr EnumNames<StreamViewType, 4> kStreamViewTypeNames = {
    {"KEYS_ONLY", "NEW_IMAGE", "OLD_IMAGE", "NEW_AND_OLD_IMAGES"}};
static_assert(kStreamViewTypeNames.NameOf(StreamViewType::kNewAndOldImages) ==
              "NEW_AND_OLD_IMAGES");
static_assert(kStreamViewTypeNames.NameOf(StreamViewType{4}).empty());

}  // namespace dolmen::wire
