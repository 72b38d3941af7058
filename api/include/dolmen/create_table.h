// Tables to create: their keys, indexes and stream.
//
//   const auto table = db.CreateTable(
//       {.name = "app",  // string keys PK and SK by default
//        .global_secondary_indexes = {GlobalSecondaryIndex::Overloaded("GSI1"),
//                                     {.name = "byEmail", .partition_key = {{"email"}}}}});
//
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_CreateTable.html

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dolmen/attribute_value.h"

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

}  // namespace dolmen

#include "dolmen/internal/show_macros.h"
