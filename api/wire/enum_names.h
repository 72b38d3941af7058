// DynamoDB's names of the values of enumerations, for requests and responses in both directions.

#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "dolmen/create_table.h"
#include "dolmen/operations.h"
#include "dolmen/query.h"
#include "dolmen/streams.h"

namespace dolmen::wire {

// The names of the values of `Enum`, in their order.
template <typename Enum, std::size_t kCount>
struct EnumNames {
  std::array<std::string_view, kCount> names;

  constexpr std::string_view NameOf(Enum value) const {
    return names[static_cast<std::size_t>(value)];
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
// A request without the parameter has the default.
inline constexpr EnumNames<Select, 5> kSelectNames = {
    {"", "ALL_ATTRIBUTES", "ALL_PROJECTED_ATTRIBUTES", "SPECIFIC_ATTRIBUTES", "COUNT"}};
inline constexpr EnumNames<ReturnConsumedCapacity, 3> kConsumedCapacityNames = {
    {"NONE", "TOTAL", "INDEXES"}};
inline constexpr EnumNames<TableStatus, 4> kTableStatusNames = {
    {"CREATING", "UPDATING", "DELETING", "ACTIVE"}};
inline constexpr EnumNames<TimeToLiveStatus, 4> kTimeToLiveStatusNames = {
    {"DISABLED", "ENABLING", "ENABLED", "DISABLING"}};
inline constexpr EnumNames<ShardIteratorType, 4> kShardIteratorTypeNames = {
    {"TRIM_HORIZON", "LATEST", "AT_SEQUENCE_NUMBER", "AFTER_SEQUENCE_NUMBER"}};
inline constexpr EnumNames<StreamViewType, 4> kStreamViewTypeNames = {
    {"KEYS_ONLY", "NEW_IMAGE", "OLD_IMAGE", "NEW_AND_OLD_IMAGES"}};

}  // namespace dolmen::wire
