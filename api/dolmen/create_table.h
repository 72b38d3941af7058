// What a table looks like when it is made.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_CreateTable.html

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dolmen/attribute_value.h"

namespace dolmen {

// A key attribute: its name, and its type: kS, kN or kB.
struct KeyAttribute {
  std::string name = {};
  AttributeType type = AttributeType::kS;
};

// An index that holds a copy of every item that has its key attributes (it is sparse), ordered by
// them.  Several entity types may share one (overloading): the key attributes' values decide what
// an item means there.
struct GlobalSecondaryIndex {
  std::string name = {};
  KeyAttribute partition_key = {};
  std::optional<KeyAttribute> sort_key = {};

  // The single-table convention: index "GSI1" on the strings GSI1PK and GSI1SK.
  static GlobalSecondaryIndex Overloaded(const std::string& name);
};

struct CreateTableInput {
  std::string name = {};  // 3 to 255 characters of a-z A-Z 0-9 _ - .
  KeyAttribute partition_key = {.name = "PK"};
  std::optional<KeyAttribute> sort_key = KeyAttribute{.name = "SK"};
  std::vector<GlobalSecondaryIndex> global_secondary_indexes = {};  // at most 20
};

}  // namespace dolmen
