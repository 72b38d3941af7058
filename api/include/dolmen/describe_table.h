// The current state of a table: its keys, its indexes and their backfills, its stream, and the amount of
// data.
//
//   const auto table = db.DescribeTable("app");
//   if (table.ok()) std::cout << table->content.item_count << " items";
//
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DescribeTable.html

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dolmen/attribute_value.h"
#include "dolmen/clock.h"
#include "dolmen/create_table.h"
#include "dolmen/result.h"

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

// The state of a table. A table that a restore creates is kCreating until it is complete: it is listed
// and described, and every other operation on it fails. Without a simulation (testing/simulate.h) all
// other tables are active.
enum class TableStatus : std::uint8_t { kCreating, kUpdating, kDeleting, kActive };

// The current state of a table.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TableDescription.html
struct TableDescription {
  std::string name = {};
  // Differs from the IDs of all other tables that the database has or had, also of former tables with
  // the same name. In the form of a UUID of version 4.
  std::string table_id = {};
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
  TableStatus status = TableStatus::kActive;
};

}  // namespace dolmen

#include "dolmen/internal/show_macros.h"
