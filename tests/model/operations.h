// Operations in a small structured form, which the reference carries out as they are and from
// which the requests to a real table are made, expressions included.

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

// "a", "a.member" or "a[index]".
struct Path {
  std::string attribute = {};
  std::optional<std::string> member = {};
  std::optional<std::size_t> index = {};

  friend bool operator==(const Path&, const Path&) = default;
};

// A path, size(path), or a value.
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
  std::string name = {};  // of the comparator or the function: "<=", "attribute_exists"
  std::vector<Operand> operands = {};
  std::vector<Condition> children = {};
};

struct UpdateAction {
  enum class Section { kSet, kRemove, kAdd, kDelete };
  enum class Source { kOperand, kPlus, kMinus, kListAppend };
  Section section = Section::kSet;
  Path target = {};
  Source source = Source::kOperand;                 // kSet: left alone, or of left and right
  Operand left = {};                                // also what ADD and DELETE take
  std::optional<AttributeValue> left_default = {};  // if_not_exists(left, ...)
  Operand right = {};
};

struct WriteOperation {
  enum class Kind { kPut, kUpdate, kDelete, kCheck };
  Kind kind = Kind::kPut;
  Item item = {};  // of kPut; else the key
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

// What Query and Scan have in common.
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
  std::vector<AttributeValue> partition = {};    // a value for each attribute of the partition key
  std::vector<AttributeValue> shards = {};       // or these partitions, read as one
  std::vector<AttributeValue> sort_equals = {};  // what the first attributes of the sort key equal
  std::optional<SortKeyCondition> sort = {};     // of the next one
  bool as_expression = false;                    // says the key condition as an expression
  bool forward = true;
};

struct ScanOperation : ReadOperation {
  std::uint32_t total_segments = 0;  // 0: it is not parallel
};

// The tables that operations on several of them mean are those of the test, by number.
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

// Of one table in a BatchGetItem.
struct BatchGet {
  std::size_t table = 0;
  std::vector<Item> keys = {};
  std::vector<Path> projection = {};
  bool consistent_read = false;
};

// The requests.
PutItemInput ToPut(const WriteOperation& operation);
UpdateItemInput ToUpdate(const WriteOperation& operation);
DeleteItemInput ToDelete(const WriteOperation& operation);
TransactWriteItem ToAction(const WriteOperation& operation, const Table& table);
GetItemInput ToGet(const GetOperation& operation);
// `shape` is that of the index that the operation names.
QueryInput ToQuery(const QueryOperation& operation, const Shape& shape, const Item& start_key);
ScanInput ToScan(const ScanOperation& operation, std::uint32_t segment, const Item& start_key);
KeysAndAttributes ToKeys(const BatchGet& operation, const Table& table);
TransactGetItem ToTransactGet(const GetOperation& operation, const Table& table);

// For people: all that the request holds.
std::string ToString(const AttributeValue& value);
std::string ToString(const WriteOperation& operation);
std::string ToString(const GetOperation& operation);
std::string ToString(const QueryOperation& operation, const Shape& shape);
std::string ToString(const ScanOperation& operation);
std::string ToString(const TransactOperation& operation);
std::string ToString(const BatchGet& operation);

// The table of the model test: string keys, one index on strings, one on numbers.
CreateTableInput ModelTable();

}  // namespace dolmen::test
