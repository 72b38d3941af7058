// Tables: their definition (keys, indexes, stream), their time to live, and the requests that
// describe, list and change them.
//
//   const auto table = db.CreateTable(
//       {.name = "app",  // string keys PK and SK by default
//        .global_secondary_indexes = {GlobalSecondaryIndex::Overloaded("GSI1"),
//                                     {.name = "byEmail", .partition_key = {{"email"}}}}});
//
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_CreateTable.html
//
//   const auto enabled = db.UpdateTimeToLive(
//       {.table_name = "app", .specification = {.attribute_name = "expires"}});
//   const auto put = table.PutItem({.item = {{"PK", "SESSION#1"}, {"SK", "SESSION"},
//                                            {"expires", 1776249000}}});  // seconds since 1970
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/TTL.html

#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dolmen/attribute_value.h"
#include "dolmen/clock.h"
#include "dolmen/result.h"

namespace dolmen {

// A top-level attribute that is part of a key. An attribute has the same type in every key of the
// table and its indexes.
struct KeyAttribute {
  std::string name = {};                   // 1 to 255 bytes
  AttributeType type = AttributeType::kS;  // kS, kN or kB

  friend bool operator==(const KeyAttribute&, const KeyAttribute&) = default;
};

namespace internal {
// Returns {"PK", kS}. The function is not inline, because GCC 12 warns at -O3 -Wall about an inline
// default value in a temporary CreateTableInput (GCC bug 105562).
KeyAttribute DefaultPartitionKey();
}  // namespace internal

// The choice of the attributes that an index copies from each item into its entries.
enum class ProjectionType : std::uint8_t {
  kAll,       // all attributes
  kKeysOnly,  // the key attributes of the index and of the table
  kInclude    // the key attributes and the index's non_key_attributes
};

// An index with keys of its own. It holds a copy of every item that has all key attributes of the
// index (a sparse index). The copies are ordered by these attributes. Several kinds of items may
// share an index (overloading): the values of the key attributes decide what an entry means.
//
// A write keeps its indexes up to date in the same atomic step, so an index is never stale. A write
// is rejected with kValidation if a key attribute of an index does not have the type that the index
// declares, is empty or is too long. A partition key of an index has up to 2,048 bytes, a sort key
// up to 1,024 bytes.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.html
struct GlobalSecondaryIndex {
  std::string name = {};  // 3 to 255 characters of a-z A-Z 0-9 _ - .

  // The attributes of the partition key, 1 to 4, and of the sort key, 0 to 4. Entries are ordered
  // by the first attribute of the sort key, then by the second one, and so on. Without a sort key
  // the entries of a partition are in the order of the table's keys.
  // https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.DesignPattern.MultiAttributeKeys.html
  std::vector<KeyAttribute> partition_key = {};
  std::vector<KeyAttribute> sort_key = {};

  ProjectionType projection = ProjectionType::kAll;

  // The additional attributes that the index holds; required with kInclude, forbidden otherwise. An
  // index has 1 to 20 such top-level attributes, and all indexes of a table have at most 100
  // together. Each name has 1 to 255 bytes.
  std::vector<std::string> non_key_attributes = {};

  // Returns an index for single-table designs. Its keys are the strings `name` + "PK" and `name` +
  // "SK": GSI1 has GSI1PK and GSI1SK. It holds all attributes.
  static GlobalSecondaryIndex Overloaded(const std::string& name);

  friend bool operator==(const GlobalSecondaryIndex&, const GlobalSecondaryIndex&) = default;
};

// An index that orders the items of each partition of the table by a different attribute than the
// table's sort key. It is created and deleted with its table, which must have a sort key.
//
// A Query may request attributes that the index does not hold. The query then reads each item from
// the table. An item and its entries in local indexes have at most 400 KB together.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/LSI.html
struct LocalSecondaryIndex {
  std::string name = {};  // 3 to 255 characters of a-z A-Z 0-9 _ - .
  KeyAttribute sort_key = {};
  ProjectionType projection = ProjectionType::kAll;
  std::vector<std::string> non_key_attributes = {};  // as in GlobalSecondaryIndex

  friend bool operator==(const LocalSecondaryIndex&, const LocalSecondaryIndex&) = default;
};

// The parts of a changed item that a record of the table's stream (streams.h) holds.
enum class StreamViewType : std::uint8_t {
  kKeysOnly,        // the key attributes
  kNewImage,        // the keys, and the item after the change
  kOldImage,        // the keys, and the item before the change
  kNewAndOldImages  // the keys, and the item before and after the change
};

// A stream to enable or disable.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_StreamSpecification.html
struct StreamSpecification {
  bool enabled = true;
  std::optional<StreamViewType> view_type = {};  // required if enabled, forbidden otherwise

  // The minimum time for which a record can be read, by the database's clock; more than 0.
  // DynamoDB retains records for 24 hours. A program that has subscriptions and does not run over
  // the weekend needs a longer retention.
  std::chrono::milliseconds retention = std::chrono::hours(24);

  friend bool operator==(const StreamSpecification&, const StreamSpecification&) = default;
};

// A table to create (Database::CreateTable).
struct CreateTableInput {
  std::string name = {};  // 3 to 255 characters of a-z A-Z 0-9 _ - .

  // The keys; by default the strings PK and SK of single-table designs. A partition key has 1 to
  // 2,048 bytes, a sort key 1 to 1,024 bytes.
  KeyAttribute partition_key = internal::DefaultPartitionKey();       // {"PK", kS}
  std::optional<KeyAttribute> sort_key = KeyAttribute{.name = "SK"};  // nothing: no sort key

  std::vector<GlobalSecondaryIndex> global_secondary_indexes = {};  // at most 20
  std::vector<LocalSecondaryIndex> local_secondary_indexes = {};    // at most 5

  std::optional<StreamSpecification> stream_specification = {};  // nothing: no stream

  // True: DeleteTable is rejected until UpdateTable sets this to false.
  bool deletion_protection = false;

  // Data of the caller, up to 400 KB, which DescribeTable returns. Dolmen does not interpret it.
  // Names that begin with "dolmen:" are reserved for Dolmen.
  Map annotations = {};
};

// The time to live of a table.
//
// The attribute holds a time as a number of seconds since 1970. An item has expired if this time is
// in the past, but at most five years of 365 days ago. Dolmen compares the number with the whole
// seconds of the database's clock. These items never expire:
// - items without the attribute, or whose attribute is not a number,
// - items with a time in milliseconds, which is far in the future,
// - items that expired more than five years ago, which DynamoDB considers a mistake.
//
// An expired item is deleted later, by a thread in the background (OpenOptions::expiry_lag) or by
// Table::ExpireNow. The deletion is a write like any other: it removes the index entries and adds
// a record to the table's stream. Until then the item is read, changed and counted like any other,
// unless hide_expired hides it. If an update sets the attribute to a future time, the item is not
// deleted.
struct TimeToLiveSpecification {
  bool enabled = true;
  std::string attribute_name = {};  // a top-level attribute; 1 to 255 bytes

  // True: requests on the table treat expired items as absent. The field options.hide_expired of a
  // request overrides this. An extension of DynamoDB by Dolmen.
  //
  // Reads, conditions, updates and return values do not see a hidden item.
  // - An update or a put with the key of a hidden item replaces the item. The stream gets two
  //   records: a REMOVE of the hidden item with by_service, then an INSERT of the new item.
  // - A request to delete a hidden item does nothing. Dolmen deletes the item later, like every
  //   expired item.
  // - The counts and the `limit` of a page do not include hidden items. The limit of 1 MB and the
  //   consumed capacity of the page include them.
  // - If an index does not hold the attribute `attribute_name`, a Query or Scan of the index reads
  //   each item from the table.
  bool hide_expired = false;
};

// A change of a table's time to live (Database::UpdateTimeToLive).
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateTimeToLive.html
struct UpdateTimeToLiveInput {
  std::string table_name = {};
  TimeToLiveSpecification specification = {};
};

// The state of a table's time to live.
enum class TimeToLiveStatus : std::uint8_t {
  // No item expires.
  kDisabled,
  // A backfill is searching for the items that were written before the time to live was enabled.
  // Dolmen already deletes expired items that were written later. hide_expired already hides all
  // expired items.
  kEnabling,
  // The backfill has ended. Dolmen deletes every item after it expires.
  kEnabled,
  // The time to live was disabled. Only a simulation (testing/simulate.h) has this state.
  kDisabling
};

// The current time to live of a table (Database::DescribeTimeToLive).
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TimeToLiveDescription.html
struct TimeToLiveDescription {
  TimeToLiveStatus status = TimeToLiveStatus::kDisabled;
  std::string attribute_name = {};  // empty: the time to live is disabled
  bool hide_expired = false;
};

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
