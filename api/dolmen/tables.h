// Requests that describe, list and change tables, and their answers.  Database has the operations.
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
  kCreating,  // a backfill adds the items that are older than the index; it cannot be read yet
  kActive     // the index can be read
};

// The progress of an index's backfill.
struct BackfillProgress {
  std::uint64_t items_read = 0;  // since the database was opened
  double fraction = 0;           // estimate of the done part of the table's bytes, 0 to 1

  // Not ok: the reason why the backfill has stopped.  After kStorage it is retried every second.
  Status status = {};
};

// The amount of data in a table or an index.
//
// It is counted if that means reading at most 100,000 rows and 32 MB of the table and its indexes
// together, including rows that are deleted but still stored.  Otherwise the rest is estimated from
// the rows in memory and from samples of the table files, usually to within a third.  A part that
// cannot be read is estimated from the other parts.
struct ContentSize {
  std::uint64_t item_count = 0;

  // The bytes of the items, or of their projections in the index, as DynamoDB counts item sizes.
  std::uint64_t size_bytes = 0;
};

// A choice whether a description says how much data there is.
enum class ContentSizes : std::uint8_t {
  kCount,  // yes; takes up to about 50 ms for a large table
  kOmit    // no; every ContentSize is zero
};

// A global index as it is now.
struct GlobalSecondaryIndexDescription {
  GlobalSecondaryIndex index = {};
  IndexStatus status = IndexStatus::kActive;
  std::optional<BackfillProgress> backfill = {};  // present while status is kCreating
  ContentSize content = {};
};

// A local index as it is now.
struct LocalSecondaryIndexDescription {
  LocalSecondaryIndex index = {};
  ContentSize content = {};
};

// A table as it is now.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TableDescription.html
struct TableDescription {
  std::string name = {};
  KeyAttribute partition_key = {};
  std::optional<KeyAttribute> sort_key = {};  // nothing: the table has no sort key
  std::vector<GlobalSecondaryIndexDescription> global_secondary_indexes = {};
  std::vector<LocalSecondaryIndexDescription> local_secondary_indexes = {};

  // The stream that is enabled; nothing if none is.
  std::optional<StreamSpecification> stream_specification = {};
  // The newest stream, enabled or not; empty if the table never had one.
  std::string latest_stream_arn = {};
  std::string latest_stream_label = {};

  bool deletion_protection = false;
  Timestamp created_at = {};  // by the database's clock
  ContentSize content = {};   // of the table itself; each index has its own
  Map annotations = {};       // as CreateTable and UpdateTable set them
};

// A page of table names to list.
struct ListTablesInput {
  // The page begins with the first name that sorts after this one, which need not exist.  Pass
  // last_evaluated_table_name of the page before.
  std::string exclusive_start_table_name = {};
  std::uint32_t limit = 100;  // 1 to 100 names
};

// A page of table names.
struct ListTablesOutput {
  std::vector<std::string> table_names = {};   // in byte order
  std::string last_evaluated_table_name = {};  // empty: this is the last page
};

// Changes of a table: at least one.  One call creates or deletes at most one index, or enables or
// disables the stream; it cannot do both.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateTable.html
struct UpdateTableInput {
  std::string name = {};

  // An index to create.  It can be read once its backfill has ended (Table::WaitForIndexes).
  std::optional<GlobalSecondaryIndex> create_index = {};
  std::string delete_index = {};  // the name of a global index; empty: delete none

  // Enabling creates a new stream with an ARN of its own.  The records of the stream before it can
  // be read until they are no longer retained.
  std::optional<StreamSpecification> stream_specification = {};

  std::optional<bool> deletion_protection = {};  // nothing: leave it as it is

  // Replaces all annotations, except those whose names begin with "dolmen:".  An annotation of
  // these changes only if it is named here; the value NULL removes it.
  std::optional<Map> annotations = {};
};

}  // namespace dolmen
