// What a table and its indexes look like when they are made.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_CreateTable.html

#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dolmen/attribute_value.h"

namespace dolmen {

// A key attribute: its name, and its type: kS, kN or kB.
struct KeyAttribute {
  std::string name = {};
  AttributeType type = AttributeType::kS;

  friend bool operator==(const KeyAttribute&, const KeyAttribute&) = default;
};

// What of an item its entry in an index holds: all of it; the keys of index and table; or these and
// the index's non_key_attributes.
enum class ProjectionType : std::uint8_t { kAll, kKeysOnly, kInclude };

// An index that holds a copy of every item that has its key attributes (it is sparse), ordered by
// them.  Several entity types may share one (overloading): the key attributes' values decide what
// an item means there.
struct GlobalSecondaryIndex {
  std::string name = {};  // 3 to 255 characters of a-z A-Z 0-9 _ - .

  // Usually one attribute each; at most four, of which the sort key's order items from left to
  // right.  No sort key: the entries of a partition are in the order of the table's keys.
  // https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.DesignPattern.MultiAttributeKeys.html
  std::vector<KeyAttribute> partition_key = {};
  std::vector<KeyAttribute> sort_key = {};

  ProjectionType projection = ProjectionType::kAll;
  std::vector<std::string> non_key_attributes = {};  // kInclude only: 1 to 20 top-level attributes

  // The single-table convention: index "GSI1" on the strings GSI1PK and GSI1SK.
  static GlobalSecondaryIndex Overloaded(const std::string& name);

  friend bool operator==(const GlobalSecondaryIndex&, const GlobalSecondaryIndex&) = default;
};

// Another order of the items of each partition.  Made and deleted with its table, which must have a
// sort key.  A Query may ask for attributes that the index does not hold: they are fetched from the
// table, item by item.
struct LocalSecondaryIndex {
  std::string name = {};
  KeyAttribute sort_key = {};
  ProjectionType projection = ProjectionType::kAll;
  std::vector<std::string> non_key_attributes = {};

  friend bool operator==(const LocalSecondaryIndex&, const LocalSecondaryIndex&) = default;
};

// What the records of a table's stream (streams.h) hold of the item that was changed.
enum class StreamViewType : std::uint8_t { kKeysOnly, kNewImage, kOldImage, kNewAndOldImages };

// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_StreamSpecification.html
struct StreamSpecification {
  bool enabled = true;
  std::optional<StreamViewType> view_type = {};  // if enabled, and only then

  // For how long a record can be read at least, by the database's clock.  DynamoDB retains 24
  // hours; a program that is closed over the weekend may want more for its subscriptions.
  std::chrono::milliseconds retention = std::chrono::hours(24);

  friend bool operator==(const StreamSpecification&, const StreamSpecification&) = default;
};

struct CreateTableInput {
  std::string name = {};  // 3 to 255 characters of a-z A-Z 0-9 _ - .
  KeyAttribute partition_key = {.name = "PK"};
  std::optional<KeyAttribute> sort_key = KeyAttribute{.name = "SK"};
  std::vector<GlobalSecondaryIndex> global_secondary_indexes = {};  // at most 20
  std::vector<LocalSecondaryIndex> local_secondary_indexes = {};    // at most 5
  std::optional<StreamSpecification> stream_specification = {};     // none: no stream
  bool deletion_protection = false;  // DeleteTable is refused until UpdateTable takes this away
  // What the caller wants to find again in DescribeTable: up to 400 KB.  Names that begin with
  // "dolmen:" are reserved for what Dolmen itself keeps with a table; it reads nothing else.
  Map annotations = {};
};

}  // namespace dolmen
