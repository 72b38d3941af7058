// Helpers for tests of UpdateTimeToLive and DescribeTimeToLive.

#pragma once

#include <ostream>

#include "tests/behaviour/fixture.h"

namespace dolmen {

inline void PrintTo(const TimeToLiveDescription& description, std::ostream* out) {
  *out << static_cast<int>(description.status) << " \"" << description.attribute_name << "\""
       << (description.hide_expired ? " hides" : "");
}

namespace behaviour {

inline constexpr auto kDisabled = TimeToLiveStatus::kDisabled;
inline constexpr auto kEnabling = TimeToLiveStatus::kEnabling;
inline constexpr auto kEnabled = TimeToLiveStatus::kEnabled;

// Matches a Result that holds a TimeToLiveDescription with these fields.
MATCHER_P3(Is, status, attribute_name, hide_expired, "") {
  return arg.ok() && arg->status == status && arg->attribute_name == attribute_name &&
         arg->hide_expired == hide_expired;
}

}  // namespace behaviour
}  // namespace dolmen
