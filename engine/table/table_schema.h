// A table as the engine knows it: its keyspaces, its key schemas, its indexes.

#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/clock.h"
#include "dolmen/create_table.h"
#include "dolmen/lifetime.h"
#include "dolmen/result.h"
#include "dolmen/tables.h"
#include "engine/key/encoded_key.h"
#include "engine/key/key_schema.h"

namespace dolmen::engine {

struct IndexSchema {
  enum class Kind : std::uint8_t { kGlobal, kLocal };

  std::string name;
  KeyspaceId keyspace;
  KeySchema keys;
  Kind kind = Kind::kGlobal;
  ProjectionType projection = ProjectionType::kAll;
  std::vector<std::string> non_key_attributes = {};
  // Entries of rows from before the index may be missing.  Writers keep it up already.
  bool backfilling = false;
  // The names of the attributes that an entry may have, in order of bytes; unused for kAll.
  std::vector<std::string> projected = {};

  bool is_local() const { return kind == Kind::kLocal; }
  bool Projects(std::string_view attribute) const;
};

// Never changes once it is made; a table that changes gets a new one (live_table.h).
struct TableSchema {
  std::string name;
  KeyspaceId keyspace;
  KeySchema keys;
  std::vector<IndexSchema> indexes = {};
  bool deletion_protection = false;
  Timestamp created_at = {};

  // Null if there is none.
  const IndexSchema* FindIndex(std::string_view index) const DOLMEN_LIFETIME_BOUND;
  const IndexSchema* FindIndex(KeyspaceId keyspace) const DOLMEN_LIFETIME_BOUND;
};

// Keyspaces that a table needs: its own, and one for each index.
std::size_t KeyspacesNeeded(const CreateTableInput& input);

// The schema of a new table, whose keyspaces count from `first`.
// kValidation: a name, a key type, a projection, or the number of indexes is not what DynamoDB
// allows; an index name is used twice, or an attribute with two types.
Result<TableSchema> MakeTableSchema(const CreateTableInput& input, KeyspaceId first,
                                    Timestamp created_at);

// The table with one index more, which is to be filled.  kValidation: as above.
Result<TableSchema> WithIndex(const TableSchema& table, const GlobalSecondaryIndex& index,
                              KeyspaceId keyspace);

// What the schema says of the table, for those who ask.
TableDescription Describe(const TableSchema& schema);

// Sets IndexSchema::projected.
void FillProjected(const KeySchema& table_keys, IndexSchema* index);

}  // namespace dolmen::engine
