// Descriptions of keys and indexes as text.

#pragma once

#include <string>
#include <vector>

#include "dolmen/create_table.h"
#include "dolmen/describe_table.h"

namespace dolmen::command {

// The partition key and the sort key of a table or of an index. Each may have several attributes in
// a global index.
struct KeyAttributes {
  std::vector<KeyAttribute> partition = {};
  std::vector<KeyAttribute> sort = {};
};

// Returns the keys of the index with the name `index`, or of the table if `index` is empty.
// - kValidation: the index does not exist. The message names the existing indexes.
Result<KeyAttributes> KeysOf(const TableDescription& table, const std::string& index);

// Returns the keys in the form of --partition-key and --sort-key: "PK:S SK:S".
std::string KeysText(const KeyAttributes& keys);

}  // namespace dolmen::command
