// A table as the engine knows it: its keyspaces, its key schemas, its indexes.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/clock.h"
#include "dolmen/create_table.h"
#include "dolmen/lifetime.h"
#include "dolmen/result.h"
#include "dolmen/tables.h"
#include "dolmen/time_to_live.h"
#include "engine/key/encoded_key.h"
#include "engine/key/key_schema.h"
#include "engine/schema/stream_schema.h"

namespace dolmen::engine {

struct IndexSchema {
  // kExpiry is nobody's to read: it finds the expired items, and its entries are keys alone.
  enum class Kind : std::uint8_t { kGlobal, kLocal, kExpiry };

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

// A table's time to live: where expired items are found, in the order in which they expire.
struct ExpirySchema {
  IndexSchema index;  // kExpiry, by the attribute
  bool hide_expired = false;

  const std::string& attribute() const DOLMEN_LIFETIME_BOUND {
    return index.keys.partition()[0].name;
  }
};

// Never changes once it is made; a table that changes gets a new one (live_table.h).
struct TableSchema {
  std::string name;
  KeyspaceId keyspace;
  KeySchema keys;
  std::vector<IndexSchema> indexes = {};
  std::optional<ExpirySchema> expiry = {};
  std::vector<StreamSchema> streams = {};  // from the first to the latest
  // No record of the streams that it had and that are gone is behind this number; 0: there are
  // none.
  SequenceNumber last_of_gone_streams = 0;
  bool deletion_protection = false;
  Timestamp created_at = {};
  // The caller's.  No operation looks at them, so that a table's current schema has none
  // (live_table.h).
  Map annotations = {};

  // Null if there is none.
  const IndexSchema* FindIndex(std::string_view index) const DOLMEN_LIFETIME_BOUND;
  // That of the expiry, too.
  const IndexSchema* FindIndex(KeyspaceId keyspace) const DOLMEN_LIFETIME_BOUND;
  // Of those that are being filled the first; that of the expiry, too.
  const IndexSchema* FindBackfilling() const DOLMEN_LIFETIME_BOUND;
  // The stream that changes are recorded in.
  const StreamSchema* enabled_stream() const DOLMEN_LIFETIME_BOUND {
    return streams.empty() || streams.back().disabled_at ? nullptr : &streams.back();
  }

  // All that it has.
  std::vector<KeyspaceId> Keyspaces() const;
};

// Keyspaces that a new table needs: its own, and one for each index and for its stream.
std::size_t KeyspacesNeeded(const CreateTableInput& input);

// The schema of a new table, whose keyspaces count from `first`.
// kValidation: a name, a key type, a projection, or the number of indexes is not what DynamoDB
// allows; an index name is used twice, or an attribute with two types; the stream's specification.
// A stream has numbers from `next_number` on.
Result<TableSchema> MakeTableSchema(const CreateTableInput& input, KeyspaceId first,
                                    Timestamp created_at, SequenceNumber next_number);

// The table with one index more, which is to be filled.  kValidation: as above.
Result<TableSchema> WithIndex(const TableSchema& table, const GlobalSecondaryIndex& index,
                              KeyspaceId keyspace);

// The table with a time to live, whose index is to be filled.
// kValidation: the name of the attribute.
Result<TableSchema> WithExpiry(const TableSchema& table, const TimeToLiveSpecification& input,
                               KeyspaceId keyspace);

// The table with one stream more, of which `place` has the keyspace, the time and the first number.
// kValidation: it has one that is enabled, or the specification is not one of a stream.
Result<TableSchema> WithStream(const TableSchema& table, const StreamSpecification& input,
                               StreamSchema place);

// The table whose stream is disabled.  kValidation: none is enabled, or the specification says more
// than that.
Result<TableSchema> WithoutStream(const TableSchema& table, const StreamSpecification& input,
                                  Timestamp now);

// kValidation: they can't be stored, or are too large.
Status CheckAnnotations(const Map& annotations);

// What the schema says of the table, for those who ask.
TableDescription Describe(const TableSchema& schema);

// Sets IndexSchema::projected.
void FillProjected(const KeySchema& table_keys, IndexSchema* index);

}  // namespace dolmen::engine
