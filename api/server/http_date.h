// Time as HTTP's Date header has it: "Sun, 06 Nov 1994 08:49:37 GMT".

#pragma once

#include <string>
#include <string_view>

#include "dolmen/clock.h"

namespace dolmen::server {

std::string ToHttpDate(Timestamp time);

// The text of the current second, made once in it.  For one thread.
class HttpDate {
 public:
  // The view lives until the next call.
  std::string_view At(Timestamp time);

 private:
  std::chrono::sys_seconds second_ = std::chrono::sys_seconds::min();
  std::string text_;
};

}  // namespace dolmen::server
