// Requests that describe, list and change tables, and the results of these requests. The
// operations are methods of Database.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/WorkingWithTables.Basics.html

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dolmen/attribute_value.h"
#include "dolmen/clock.h"
#include "dolmen/create_table.h"
#include "dolmen/status.h"

namespace dolmen {

// The state of an index.
enum class IndexStatus : std::uint8_t {
  kCreating,  // a backfill adds the older items; the index cannot be read yet
  kActive     // the index can be read
};

// The progress of an index's backfill.
struct BackfillProgress {
  std::uint64_t items_read = 0;  // since the database was opened
  double fraction = 0;           // estimated part of the table that the backfill has read, 0 to 1

  // The error that stopped the backfill; ok if no error stopped the backfill. After kStorage Dolmen
  // retries the backfill every second.
  Status status = {};
};

// The amount of data in a table or an index.
//
// Dolmen counts up to 100,000 rows (items and index entries) and 32 MB. The table and its indexes
// share these limits. A deleted row that is still stored counts towards the limits. Dolmen
// estimates the rest from the rows in memory and from samples of the table files; usually the error
// is less than a third. If Dolmen cannot read a part, it estimates this part from the other parts.
struct ContentSize {
  std::uint64_t item_count = 0;

  // The bytes of the items, or of their projections in the index, by DynamoDB's rules for item
  // sizes.
  std::uint64_t size_bytes = 0;
};

// The option of DescribeTable to return or to omit the amount of data.
enum class ContentSizes : std::uint8_t {
  kCount,  // yes; takes up to about 50 ms for a large table
  kOmit    // no; every ContentSize is zero
};

// The current state of a global index.
struct GlobalSecondaryIndexDescription {
  GlobalSecondaryIndex index = {};
  IndexStatus status = IndexStatus::kActive;
  std::optional<BackfillProgress> backfill = {};  // present while status is kCreating
  ContentSize content = {};
};

// The current state of a local index.
struct LocalSecondaryIndexDescription {
  LocalSecondaryIndex index = {};
  ContentSize content = {};
};

// The current state of a table.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TableDescription.html
struct TableDescription {
  std::string name = {};
  KeyAttribute partition_key = {};
  std::optional<KeyAttribute> sort_key = {};  // nothing: the table has no sort key
  std::vector<GlobalSecondaryIndexDescription> global_secondary_indexes = {};
  std::vector<LocalSecondaryIndexDescription> local_secondary_indexes = {};

  // The enabled stream; nothing if no stream is enabled.
  std::optional<StreamSpecification> stream_specification = {};
  // The newest stream, enabled or not; empty if the table never had a stream.
  std::string latest_stream_arn = {};
  std::string latest_stream_label = {};

  bool deletion_protection = false;
  Timestamp created_at = {};  // by the database's clock
  ContentSize content = {};   // of the table itself; each index has its own
  Map annotations = {};       // as CreateTable and UpdateTable set them
};

// A page of table names to list.
struct ListTablesInput {
  // The last_evaluated_table_name of the previous page; empty for the first page. The page begins
  // with the first name that sorts after this name. A table with the name in this field need not
  // exist.
  std::string exclusive_start_table_name = {};
  std::uint32_t limit = 100;  // 1 to 100 names
};

// A page of table names.
struct ListTablesOutput {
  std::vector<std::string> table_names = {};   // in byte order
  std::string last_evaluated_table_name = {};  // empty: this is the last page
};

// The changes of a table; at least one change is required. One call can create or delete one index,
// or it can enable or disable the stream, but not both.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateTable.html
struct UpdateTableInput {
  std::string name = {};

  // An index to create. It can be read once its backfill has ended (Table::WaitForIndexes).
  std::optional<GlobalSecondaryIndex> create_index = {};
  std::string delete_index = {};  // the name of a global index; empty: delete none

  // A stream to enable or disable. Enabling creates a new stream with its own ARN. The records of
  // the previous stream can be read as long as they are retained.
  std::optional<StreamSpecification> stream_specification = {};

  std::optional<bool> deletion_protection = {};  // nothing: no change

  // The new annotations, which replace all annotations that the caller had set before. An
  // annotation whose name begins with "dolmen:" changes only if this map contains its name; the
  // value NULL removes the annotation.
  std::optional<Map> annotations = {};
};

}  // namespace dolmen
