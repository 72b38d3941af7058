// A table as the engine knows it: its keyspaces and key schemas, and how the catalog stores them.

#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/create_table.h"
#include "dolmen/item_view.h"
#include "dolmen/result.h"
#include "engine/key/encoded_key.h"
#include "engine/key/key_schema.h"

namespace dolmen::engine {

struct IndexSchema {
  std::string name;
  KeyspaceId keyspace;
  KeySchema keys;
};

// Never changes once it is made; a table that changes gets a new one.
struct TableSchema {
  std::string name;
  KeyspaceId keyspace;
  KeySchema keys;
  std::vector<IndexSchema> indexes = {};

  const IndexSchema* FindIndex(std::string_view index) const;  // null if there is none
};

using TableSchemaRef = std::shared_ptr<const TableSchema>;

// Keyspaces that a table needs: its own, and one for each index.
std::size_t KeyspacesNeeded(const CreateTableInput& input);

// The schema of a new table, whose keyspaces count from `first`.
// kValidation: a name, a key type, or the number of indexes is not what DynamoDB allows; an index
// name is used twice, or an attribute with two types.
Result<TableSchema> MakeTableSchema(const CreateTableInput& input, KeyspaceId first);

// The catalog's entry, and back.  kCorruption if it is not a schema.
Item EncodeTableSchema(const TableSchema& schema);
Result<TableSchema> DecodeTableSchema(const ItemView& entry);

}  // namespace dolmen::engine
