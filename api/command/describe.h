// Keys, indexes and types as words.

#pragma once

#include <string>
#include <vector>

#include "dolmen/tables.h"

namespace dolmen::command {

// The partition key and the sort key of a table or of an index of it; of a global index several
// attributes each, maybe.
struct KeyAttributes {
  std::vector<KeyAttribute> partition = {};
  std::vector<KeyAttribute> sort = {};
};

// The table's with an empty name.  kValidation: there is no such index; the message names those
// that there are.
Result<KeyAttributes> KeysOf(const TableDescription& table, const std::string& index);

// "PK:S SK:S", as --partition-key and --sort-key take them.
std::string KeysText(const KeyAttributes& keys);

}  // namespace dolmen::command
