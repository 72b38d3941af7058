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

// The names of each enumeration.
template <typename Enum>
constexpr auto kNames = nullptr;

template <>
inline constexpr EnumNames<ReturnValues, 5> kNames<ReturnValues> = {
    {"NONE", "ALL_OLD", "UPDATED_OLD", "ALL_NEW", "UPDATED_NEW"}};
static_assert(kNames<ReturnValues>.NameOf(ReturnValues::kUpdatedNew) == "UPDATED_NEW");
// A request without the parameter has the default.
template <>
inline constexpr EnumNames<Select, 5> kNames<Select> = {
    {"", "ALL_ATTRIBUTES", "ALL_PROJECTED_ATTRIBUTES", "SPECIFIC_ATTRIBUTES", "COUNT"}};
static_assert(kNames<Select>.NameOf(Select::kCount) == "COUNT");
template <>
inline constexpr EnumNames<ReturnConsumedCapacity, 3> kNames<ReturnConsumedCapacity> = {
    {"NONE", "TOTAL", "INDEXES"}};
static_assert(kNames<ReturnConsumedCapacity>.NameOf(ReturnConsumedCapacity::kIndexes) == "INDEXES");
template <>
inline constexpr EnumNames<TableStatus, 4> kNames<TableStatus> = {
    {"CREATING", "UPDATING", "DELETING", "ACTIVE"}};
static_assert(kNames<TableStatus>.NameOf(TableStatus::kActive) == "ACTIVE");
template <>
inline constexpr EnumNames<TimeToLiveStatus, 4> kNames<TimeToLiveStatus> = {
    {"DISABLED", "ENABLING", "ENABLED", "DISABLING"}};
static_assert(kNames<TimeToLiveStatus>.NameOf(TimeToLiveStatus::kDisabling) == "DISABLING");
template <>
inline constexpr EnumNames<ShardIteratorType, 4> kNames<ShardIteratorType> = {
    {"TRIM_HORIZON", "LATEST", "AT_SEQUENCE_NUMBER", "AFTER_SEQUENCE_NUMBER"}};
static_assert(kNames<ShardIteratorType>.NameOf(ShardIteratorType::kAfterSequenceNumber) ==
              "AFTER_SEQUENCE_NUMBER");
template <>
inline constexpr EnumNames<StreamViewType, 4> kNames<StreamViewType> = {
    {"KEYS_ONLY", "NEW_IMAGE", "OLD_IMAGE", "NEW_AND_OLD_IMAGES"}};
static_assert(kNames<StreamViewType>.NameOf(StreamViewType::kNewAndOldImages) ==
              "NEW_AND_OLD_IMAGES");
static_assert(kNames<StreamViewType>.NameOf(StreamViewType{4}).empty());

template <>
inline constexpr EnumNames<StreamStatus, 2> kNames<StreamStatus> = {{"ENABLED", "DISABLED"}};
static_assert(kNames<StreamStatus>.NameOf(StreamStatus::kDisabled) == "DISABLED");
template <>
inline constexpr EnumNames<EventName, 3> kNames<EventName> = {{"INSERT", "MODIFY", "REMOVE"}};
static_assert(kNames<EventName>.NameOf(EventName::kRemove) == "REMOVE");
// The types of key attributes.
template <>
inline constexpr EnumNames<AttributeType, 4> kNames<AttributeType> = {{"", "S", "N", "B"}};
static_assert(kNames<AttributeType>.NameOf(AttributeType::kB) == "B");
template <>
inline constexpr EnumNames<ProjectionType, 3> kNames<ProjectionType> = {
    {"ALL", "KEYS_ONLY", "INCLUDE"}};
static_assert(kNames<ProjectionType>.NameOf(ProjectionType::kInclude) == "INCLUDE");

}  // namespace dolmen::wire
