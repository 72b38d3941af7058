// DynamoDB's names of StreamViewType.

#pragma once

#include <array>
#include <string_view>

#include "dolmen/create_table.h"

namespace dolmen::wire {

// The names, in the order of StreamViewType.
inline constexpr std::array<std::string_view, 4> kStreamViewTypes = {
    "KEYS_ONLY", "NEW_IMAGE", "OLD_IMAGE", "NEW_AND_OLD_IMAGES"};

constexpr std::string_view StreamViewTypeName(StreamViewType type) {
  return kStreamViewTypes[static_cast<std::size_t>(type)];
}

// REQUIRES: `name` is in kStreamViewTypes.
constexpr StreamViewType StreamViewTypeFromName(std::string_view name) {
  std::size_t type = 0;
  while (type + 1 < kStreamViewTypes.size() && kStreamViewTypes[type] != name) ++type;
  return static_cast<StreamViewType>(type);
}

}  // namespace dolmen::wire
