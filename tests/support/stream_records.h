// Reads a table's stream to its end.

#pragma once

#include <string>
#include <vector>

#include "dolmen/database.h"
#include "dolmen/streams.h"

namespace dolmen::test {

// Returns the records of the table's latest stream. If `after` is empty, returns all retained
// records. Otherwise returns the records after the sequence number `after`.
Result<std::vector<StreamRecord>> ReadStream(const Database& db, const std::string& table_name,
                                             const std::string& after = "");

}  // namespace dolmen::test
