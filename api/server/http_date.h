// Times in the format of HTTP's Date header: "Sun, 06 Nov 1994 08:49:37 GMT".

#pragma once

#include <string>
#include <string_view>

#include "dolmen/clock.h"

namespace dolmen::server {

// Returns the time in the format of the Date header.
std::string ToHttpDate(Timestamp time);

// A cache of the text for the current second. Not thread-safe.
class HttpDate {
 public:
  // Returns the text for `time`. The view is valid until the next call.
  std::string_view At(Timestamp time);

 private:
  std::chrono::sys_seconds second_ = std::chrono::sys_seconds::min();
  std::string text_;
};

}  // namespace dolmen::server
