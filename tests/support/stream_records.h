// A table's stream, read to its end.

#pragma once

#include <string>
#include <vector>

#include "dolmen/database.h"
#include "dolmen/streams.h"

namespace dolmen::test {

// The records of the table's latest stream: all that are retained, or those behind a number.
Result<std::vector<StreamRecord>> ReadStream(const Database& db, const std::string& table_name,
                                             const std::string& after = "");

}  // namespace dolmen::test
