// Describing, listing and changing tables.
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

// kCreating: the entries of items that were there before the index are being made (DynamoDB calls
// it backfilling); it can't be read yet.
enum class IndexStatus : std::uint8_t { kCreating, kActive };

// How far the making of an index is.
struct BackfillProgress {
  std::uint64_t items_read = 0;  // since the database was opened
  double fraction = 0;           // of the table's bytes that are done, estimated, 0 to 1
  Status status = {};            // not ok: why it has stopped, or waits to try again
};

// How much a table or an index holds.  Counted if that takes reading no more than 100,000 rows or
// 32 MB of the table and its indexes together, what is deleted but still stored included.  Else
// estimated: from that, from as much again of what is in memory, and from samples of the files,
// usually to within a third.  What can't be read is estimated from the rest.
struct ContentSize {
  std::uint64_t item_count = 0;
  std::uint64_t size_bytes = 0;  // of the items, or of what the index has of them, as limits count
};

// Whether a description says how much there is, which takes up to some 50 milliseconds, or has zero
// for it.
enum class ContentSizes : std::uint8_t { kCount, kOmit };

struct GlobalSecondaryIndexDescription {
  GlobalSecondaryIndex index = {};
  IndexStatus status = IndexStatus::kActive;
  std::optional<BackfillProgress> backfill = {};  // while kCreating
  ContentSize content = {};
};

struct LocalSecondaryIndexDescription {
  LocalSecondaryIndex index = {};
  ContentSize content = {};
};

// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TableDescription.html
struct TableDescription {
  std::string name = {};
  KeyAttribute partition_key = {};
  std::optional<KeyAttribute> sort_key = {};
  std::vector<GlobalSecondaryIndexDescription> global_secondary_indexes = {};
  std::vector<LocalSecondaryIndexDescription> local_secondary_indexes = {};
  // Of the stream that is enabled.
  std::optional<StreamSpecification> stream_specification = {};
  // Of the latest stream, enabled or not; empty if there is none.
  std::string latest_stream_arn = {};
  std::string latest_stream_label = {};
  bool deletion_protection = false;
  Timestamp created_at = {};
  ContentSize content = {};
  Map annotations = {};
};

struct ListTablesInput {
  std::string exclusive_start_table_name = {};  // names behind it; it need not exist
  std::uint32_t limit = 100;                    // 1 to 100
};

struct ListTablesOutput {
  std::vector<std::string> table_names = {};   // in order of bytes
  std::string last_evaluated_table_name = {};  // empty: there are no more
};

// At least one change; by one call at most one index is made or deleted, or a stream enabled or
// disabled.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateTable.html
struct UpdateTableInput {
  std::string name = {};
  std::optional<GlobalSecondaryIndex> create_index = {};
  std::string delete_index = {};  // a global one's name
  // Enabling makes a new stream, with an ARN of its own.
  std::optional<StreamSpecification> stream_specification = {};
  std::optional<bool> deletion_protection = {};
  // In place of all that the table has, but for Dolmen's own ("dolmen:" and more), of which each
  // stays as it is unless it is named here: with a null it is taken away.
  std::optional<Map> annotations = {};
};

}  // namespace dolmen
