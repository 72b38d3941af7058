// All that a table or an index holds, to be compared.

#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "dolmen/dolmen.h"

namespace dolmen::test {

// Items by partition and sort key (PK and SK, strings).
using Contents = std::map<std::pair<std::string, std::string>, Item>;

// Of the table, or of that index of it.  What can't be read, is damaged or is there twice fails the
// test.  Expired items are there, too.
Contents ReadContents(const Table& table, const std::string& index = "");

// What an index holds of such a table that projects these attributes: of the items that have the
// index's key attribute.
Contents Projected(const Contents& rows, const std::string& key_attribute,
                   const std::vector<std::string>& attributes);

}  // namespace dolmen::test
