// Operations in a small structured form. The reference executes an operation in this form. For a
// real table, the operation is converted to a request with expressions.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dolmen/dolmen.h"
#include "tests/model/table_shape.h"

namespace dolmen::test {

// A document path: "a", "a.member" or "a[index]".
struct Path {
  std::string attribute = {};
  std::optional<std::string> member = {};
  std::optional<std::size_t> index = {};

  friend bool operator==(const Path&, const Path&) = default;
};

// An operand of an expression: a path, size(path), or a value.
struct Operand {
  std::optional<Path> path = {};
  bool size = false;
  AttributeValue value = {};
};
inline Operand OperandAt(Path path) { return {.path = std::move(path)}; }
inline Operand OperandOf(AttributeValue value) { return {.value = std::move(value)}; }

struct Condition {
  enum class Kind { kAnd, kOr, kNot, kCompare, kBetween, kIn, kFunction };
  Kind kind = Kind::kFunction;
  std::string name = {};  // the comparator or the function: "<=", "attribute_exists"
  std::vector<Operand> operands = {};
  std::vector<Condition> children = {};
};

struct UpdateAction {
  enum class Section { kSet, kRemove, kAdd, kDelete };
  enum class Source { kOperand, kPlus, kMinus, kListAppend };
  Section section = Section::kSet;
  Path target = {};
  Source source = Source::kOperand;                 // kSet: left alone, or left and right
  Operand left = {};                                // for ADD and DELETE the operand
  std::optional<AttributeValue> left_default = {};  // for if_not_exists(left, ...)
  Operand right = {};
};

struct WriteOperation {
  enum class Kind { kPut, kUpdate, kDelete, kCheck };
  Kind kind = Kind::kPut;
  Item item = {};  // for kPut the item; otherwise the key
  std::optional<Condition> condition = {};
  std::vector<UpdateAction> update = {};
  ReturnValues return_values = ReturnValues::kNone;
  bool return_item_on_condition_failure = false;
  ReturnConsumedCapacity capacity = ReturnConsumedCapacity::kNone;
};

struct GetOperation {
  Item key = {};
  std::vector<Path> projection = {};
  bool consistent_read = false;
  ReturnConsumedCapacity capacity = ReturnConsumedCapacity::kNone;
};

// The parameters that Query and Scan share.
struct ReadOperation {
  std::string index = {};
  std::optional<Condition> filter = {};
  std::vector<Path> projection = {};
  std::optional<std::uint32_t> limit = {};
  Select select = Select::kDefault;
  bool consistent_read = false;
  ReturnConsumedCapacity capacity = ReturnConsumedCapacity::kNone;
};

struct QueryOperation : ReadOperation {
  std::vector<AttributeValue> partition = {};    // a value for each partition key attribute
  std::vector<AttributeValue> shards = {};       // partitions that one Query reads together
  std::vector<AttributeValue> sort_equals = {};  // values of the first sort key attributes
  std::optional<SortKeyCondition> sort = {};     // condition on the next sort key attribute
  bool as_expression = false;                    // send the key condition as an expression
  bool forward = true;
};

struct ScanOperation : ReadOperation {
  std::uint32_t total_segments = 0;  // 0: not a parallel scan
};

// An action of an operation on several tables. `table` is the number by which the test identifies
// the table.
struct TableWrite {
  std::size_t table = 0;
  WriteOperation write = {};
};
struct TransactOperation {
  std::vector<TableWrite> writes = {};
  std::string token = {};
  ReturnConsumedCapacity capacity = ReturnConsumedCapacity::kNone;
};

struct TableGet {
  std::size_t table = 0;
  GetOperation get = {};
};

// The part of a BatchGetItem that reads one table.
struct BatchGet {
  std::size_t table = 0;
  std::vector<Item> keys = {};
  std::vector<Path> projection = {};
  bool consistent_read = false;
};

// Convert an operation to a request for a real table.
PutItemInput ToPut(const WriteOperation& operation);
UpdateItemInput ToUpdate(const WriteOperation& operation);
DeleteItemInput ToDelete(const WriteOperation& operation);
TransactWriteItem ToAction(const WriteOperation& operation, const Table& table);
GetItemInput ToGet(const GetOperation& operation);
// Return the request for a Query, a Scan or a batch or transaction read. `shape` is the shape of
// the index that the operation names.
QueryInput ToQuery(const QueryOperation& operation, const Shape& shape, const Item& start_key);
ScanInput ToScan(const ScanOperation& operation, std::uint32_t segment, const Item& start_key);
KeysAndAttributes ToKeys(const BatchGet& operation, const Table& table);
TransactGetItem ToTransactGet(const GetOperation& operation, const Table& table);

// Return the full request as text, for failure messages.
std::string ToString(const AttributeValue& value);
std::string ToString(const WriteOperation& operation);
std::string ToString(const GetOperation& operation);
std::string ToString(const QueryOperation& operation, const Shape& shape);
std::string ToString(const ScanOperation& operation);
std::string ToString(const TransactOperation& operation);
std::string ToString(const BatchGet& operation);

// Returns the description of the table in the model test. The table and the index GSI1 have strings
// as keys, and the index GSI2 has numbers.
CreateTableInput ModelTable();

}  // namespace dolmen::test
