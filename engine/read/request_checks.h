// What requests of many parts have in common.

#pragma once

#include <string_view>
#include <vector>

#include "dolmen/status.h"

namespace dolmen::engine {

// Whether two of the rows are the same one.
bool HasDuplicates(std::vector<std::string_view> rows);

// That a list of the request is too short or too long: `constraint` is "less than or equal to 100".
// DynamoDB shows the list, too, which here nobody has written down.
Status WrongLength(std::string_view parameter, std::string_view constraint);

}  // namespace dolmen::engine
