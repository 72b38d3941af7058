// The full contents of a table or an index, for comparison.

#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "dolmen/dolmen.h"

namespace dolmen::test {

// Items by partition key and sort key (PK and SK, strings).
using Contents = std::map<std::pair<std::string, std::string>, Item>;

// Returns all items of the table or of the named index, expired items included.
// - kCorruption: an item is damaged, or two items have the same key.
// - any other error: the items cannot be read.
Result<Contents> TryReadContents(const Table& table, const std::string& index);

// Returns the result of TryReadContents. An error fails the test.
Contents ReadContents(const Table& table, const std::string& index = "");

// Returns the entries that an index over `rows` must hold. The key of the index is `key_attribute`,
// and the index projects `attributes`. Rows without the key attribute have no entry.
Contents Projected(const Contents& rows, const std::string& key_attribute,
                   const std::vector<std::string>& attributes);

}  // namespace dolmen::test
