// Lowering of a SELECT to the requests that read its items.

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "database/statement/parameters.h"
#include "database/statement/syntax/statement.h"
#include "dolmen/attribute_value.h"
#include "dolmen/result.h"
#include "engine/expression/syntax/syntax.h"
#include "engine/schema/table_schema.h"

namespace dolmen::database {

class WhereSplit;

// The requests of a SELECT, without the values of its parameters: one Query for each element of
// `ranges`, in this order, or a Scan if `ranges` is empty. A remembered statement keeps the form
// (StatementMemo), unless it has several partition keys: then its requests depend on their values.
struct ReadShape {
  // A value that must have the type of a key attribute.
  struct TypedValue {
    KeyAttribute attribute;
    engine::ValueSyntax value;
  };

  std::vector<std::shared_ptr<const engine::ConditionSyntax>> ranges;  // the key conditions
  std::shared_ptr<const engine::ConditionSyntax> filter;               // null: no filter
  bool forward = true;

  std::vector<KeyAttribute> keys;      // of the table or of the index
  std::vector<std::string> projected;  // IndexSchema::projected; empty for a table
  std::vector<TypedValue> key_values;  // of the key conditions, in the order of the keys
  std::vector<TypedValue> filter_values;
  // The statement names the whole key of an item of the table by equalities. Then `ranges` has one
  // element, and the key_values are those of the key.
  bool whole_key = false;
};

// A SELECT with the values of its parameters.
struct LoweredRead {
  std::shared_ptr<const ReadShape> shape;
  std::optional<Item> key;  // the key of the item, if ReadShape::whole_key is true
};

// Returns an error for an index that statements cannot read.
// - kValidation, with DynamoDB's message: a key of the index has several attributes.
Status CheckReadable(const engine::IndexSchema& index);

// Returns the index that the statement names, or null for the table itself.
// - kValidation, with DynamoDB's message: the table has no index with the name.
// - kValidation: an error of CheckReadable.
// - kValidation, with DynamoDB's message: a global index is read consistently.
Result<const engine::IndexSchema*> FindReadIndex(const Statement& statement,
                                                 const engine::TableSchema& table, bool consistent);

// Returns the requests. `consistent` is true if the statement asks for a consistent read.
// - kValidation: an error of FindReadIndex or of CheckBranches.
// - kValidation, with DynamoDB's message: a key attribute is compared with a value of another type.
// - kValidation, with DynamoDB's message: ORDER BY names an attribute that is not part of the key,
//   or there is no condition on the partition key.
// - kValidation, with DynamoDB's message: the index does not project an attribute of the filter.
Result<LoweredRead> LowerRead(const Statement& statement, const engine::TableSchema& table,
                              const Parameters& parameters, bool consistent);

// Takes the equality on each attribute of the key from the conditions. Returns the key, or nothing
// if an attribute has no equality.
// - kValidation, with DynamoDB's message: a value does not have the type of its attribute.
Result<std::optional<Item>> TakeKey(const engine::KeySchema& keys, const Parameters& parameters,
                                    WhereSplit* split);

}  // namespace dolmen::database
