// Times in the format of signatures: "20150830T123600Z".

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dolmen/clock.h"

namespace dolmen::http {

// Parses a time in the format of signatures, or of HTTP's Date header ("Sun, 30 Aug 2015 12:36:00
// GMT"). A request may have the signed header Date instead of X-Amz-Date. Returns nothing for other
// texts.
std::optional<Timestamp> ParseSigningTime(std::string_view text);

// Returns the time in the format of signatures. REQUIRES: the year is from 0 to 9999.
std::string ToSigningTime(Timestamp time);

}  // namespace dolmen::http
