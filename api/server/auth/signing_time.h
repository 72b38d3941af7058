// Times as signatures have them: "20150830T123600Z".

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dolmen/clock.h"

namespace dolmen::server {

// Also reads what HTTP's Date header has ("Sun, 30 Aug 2015 12:36:00 GMT"), by which a request may
// be signed instead.  Nothing if the text is neither.
std::optional<Timestamp> ParseSigningTime(std::string_view text);

// REQUIRES: a year from 0 to 9999.
std::string ToSigningTime(Timestamp time);

}  // namespace dolmen::server
