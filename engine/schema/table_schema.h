// The schema of a table: its keyspaces, keys, indexes, time to live and streams.

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/clock.h"
#include "dolmen/create_table.h"
#include "dolmen/describe_table.h"
#include "dolmen/internal/lifetime.h"
#include "dolmen/point_in_time.h"
#include "dolmen/result.h"
#include "dolmen/time_to_live.h"
#include "engine/key/encoded_key.h"
#include "engine/key/key_schema.h"
#include "engine/schema/stream_schema.h"

namespace dolmen::engine {

// An index of a table.
struct IndexSchema {
  // kExpiry is the internal index of a time to live. No request can read it. The index finds
  // expired items, and its entries are keys without values.
  enum class Kind : std::uint8_t { kGlobal, kLocal, kExpiry };

  std::string name;
  KeyspaceId keyspace;
  KeySchema keys;
  Kind kind = Kind::kGlobal;
  ProjectionType projection = ProjectionType::kAll;
  std::vector<std::string> non_key_attributes = {};
  // True while the index may lack entries of rows that are older than the index. Writers maintain
  // the index from its creation on.
  bool backfilling = false;
  // The names of the attributes that an entry may have, in byte order. Empty if the projection is
  // kAll.
  std::vector<std::string> projected = {};

  bool is_local() const { return kind == Kind::kLocal; }
  // Returns true if the index projects the attribute: an entry contains the attribute if the item
  // of this entry contains the attribute.
  bool Projects(std::string_view attribute) const;
};

// A table's time to live, with the index that holds the items in the order in which they expire.
struct ExpirySchema {
  IndexSchema index;          // of kind kExpiry; its key is the attribute
  bool hide_expired = false;  // the default for requests that leave it unset

  const std::string& attribute() const DOLMEN_LIFETIME_BOUND {
    return index.keys.partition()[0].name;
  }
};

// A table's schema. A schema never changes after it is published: a changed table gets a new
// schema (live_table.h). A deleted table with a stream keeps a schema (DeletedTable), because the
// stream stays readable.
struct TableSchema {
  std::string name;
  KeyspaceId keyspace;  // holds the rows
  KeySchema keys;
  std::vector<IndexSchema> indexes = {};
  std::optional<ExpirySchema> expiry = {};
  std::vector<StreamSchema> streams =
      {};  // in the order of their creation; the last may be enabled
  // The log from which points in time are restored; nothing if the table has no point-in-time
  // recovery. It is a stream of old images that no request can read. Its created_at is the earliest
  // time that can be restored, unless the retention is over.
  std::optional<StreamSchema> recovery_log = {};
  // The greatest number that a record in a dropped stream of the table may have; 0 if no stream was
  // dropped.
  SequenceNumber last_of_gone_streams = 0;
  bool deletion_protection = false;
  bool is_deleted = false;  // true if the table owns nothing but its streams, all of them disabled
  Timestamp created_at = {};
  // The table's annotations (CreateTableInput). No operation depends on them. Empty in the current
  // schema of a LiveTable, because LiveTable stores the annotations separately.
  Map annotations = {};

  // Returns the index with the name, or null.
  const IndexSchema* FindIndex(std::string_view index) const DOLMEN_LIFETIME_BOUND;
  // Returns the index that owns the keyspace, or null. The index of the time to live is included.
  const IndexSchema* FindIndex(KeyspaceId keyspace) const DOLMEN_LIFETIME_BOUND;
  // Returns the first index whose backfill is not finished, or null. The index of the time to live
  // comes first.
  const IndexSchema* FindBackfilling() const DOLMEN_LIFETIME_BOUND;
  // Returns the stream that records changes, or null.
  const StreamSchema* enabled_stream() const DOLMEN_LIFETIME_BOUND {
    return streams.empty() || streams.back().disabled_at ? nullptr : &streams.back();
  }

  // Returns the enabled stream and the recovery log, which record each change. Either is null if the
  // table does not have it.
  std::array<const StreamSchema*, 2> change_logs() const DOLMEN_LIFETIME_BOUND {
    return {enabled_stream(), recovery_log ? &*recovery_log : nullptr};
  }
  bool records_changes() const { return enabled_stream() != nullptr || recovery_log; }
  // Returns all streams, and the recovery log.
  std::vector<const StreamSchema*> AllStreams() const DOLMEN_LIFETIME_BOUND;

  // Returns the time at which the latest stream was created, or the earliest time if the table has no
  // stream.
  Timestamp LatestStreamTime() const {
    return streams.empty() ? Timestamp::min() : streams.back().created_at;
  }

  // Returns all keyspaces that the table owns: the keyspaces of its rows, indexes, streams, recovery
  // log and time to live. A deleted table owns the keyspaces of its streams alone.
  std::vector<KeyspaceId> Keyspaces() const;
};

// Checks the name of a table, an index or a backup. `parameter` is the name's parameter.
// - kValidation: the name is too short or too long, or has a character that names may not have.
Status CheckName(const std::string& name, std::string_view parameter);

// Returns the kLimitExceeded for a second index that a table creates or deletes at the same time.
Status OneIndexAtATime();

// Returns the number of keyspaces that a new table needs: one for its rows, one for each index and
// one for its stream.
std::size_t KeyspacesNeeded(const CreateTableInput& input);

// Returns the schema of a new table. The table's keyspaces have consecutive numbers that begin
// with `first`. The records of the table's stream have numbers of at least `next_number`.
// - kValidation: DynamoDB does not allow a name, a key type, a projection or the number of indexes.
// - kValidation: two indexes have the same name, or an attribute has two types.
// - kValidation: the annotations are too large, or the stream's specification contradicts itself.
Result<TableSchema> MakeTableSchema(const CreateTableInput& input, KeyspaceId first,
                                    Timestamp created_at, SequenceNumber next_number);

// Returns a copy of the schema with one more index, which needs a backfill.
// - kValidation: the index breaks a rule of MakeTableSchema.
// - kLimitExceeded: the table would have more than 20 global indexes.
Result<TableSchema> WithIndex(const TableSchema& table, const GlobalSecondaryIndex& index,
                              KeyspaceId keyspace);

// Returns a copy of the schema with a time to live, whose index needs a backfill.
// - kValidation: the attribute's name is empty or has more than 255 bytes.
Result<TableSchema> WithExpiry(const TableSchema& table, const TimeToLiveSpecification& input,
                               KeyspaceId keyspace);

// Returns a copy of the schema with one more stream, which is enabled. `stream` holds the stream's
// keyspace, time of creation and first number.
// - kValidation: a stream is enabled already.
// - kValidation: the specification disables the stream, or lacks a view type or a positive
//   retention.
Result<TableSchema> WithStream(const TableSchema& table, const StreamSpecification& input,
                               StreamSchema stream);

// Returns a copy of the schema in which the enabled stream is disabled at `now`.
// - kValidation: no stream is enabled, or the specification has a view type.
Result<TableSchema> WithoutStream(const TableSchema& table, const StreamSpecification& input,
                                  Timestamp now);

// Returns the schema that remains of a table that is deleted at `now`: its name, its keys, and its
// streams, all of them disabled. Its other keyspaces are to be purged.
TableSchema DeletedTable(const TableSchema& table, Timestamp now);

// Returns a copy of the schema with the recovery log that UpdateContinuousBackups asks for, or
// without one. `log` holds the keyspace, the time of creation and the first number of a new log.
// - kValidation: the period is not 1 to 35 days, or is given although `enabled` is false.
Result<TableSchema> WithRecoveryLog(TableSchema table, const UpdateContinuousBackupsInput& input,
                                    StreamSchema log);

// Returns the annotations of a table after an update. The given annotations replace the old ones,
// except Dolmen's own annotations, whose names begin with "dolmen:". An old annotation of Dolmen is
// kept unless `given` contains its name, and is deleted if its value in `given` is null.
Map MergeAnnotations(const Map& old, const Map& given);

// Checks the annotations of a table.
// - kValidation: they cannot be stored as an item, or are over 400 KB.
Status CheckAnnotations(const Map& annotations);

// Returns the description of the table, as far as the schema determines it. Leaves the content,
// the annotations and the progress of backfills unset.
TableDescription Describe(const TableSchema& schema);

// Sets index->projected from the projection, the table's keys and the index's keys.
void FillProjected(const KeySchema& table_keys, IndexSchema* index);

}  // namespace dolmen::engine
