// Operations in a small structured form, which the reference table carries out as it is and from
// which the requests to a real table are made, expressions included.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/dolmen.h"

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
};

struct GetOperation {
  Item key = {};
  std::vector<Path> projection = {};
};

struct QueryOperation {
  std::string index = {};
  AttributeValue partition = {};
  std::optional<SortKeyCondition> sort = {};
  bool as_expression = false;  // says the key condition as an expression
  std::optional<Condition> filter = {};
  std::vector<Path> projection = {};
  bool forward = true;
  std::optional<std::uint32_t> limit = {};
  Select select = Select::kDefault;
};

// The requests.
PutItemInput ToPut(const WriteOperation& operation);
UpdateItemInput ToUpdate(const WriteOperation& operation);
DeleteItemInput ToDelete(const WriteOperation& operation);
TransactWriteItem ToAction(const WriteOperation& operation, const Table& table);
GetItemInput ToGet(const GetOperation& operation);
QueryInput ToQuery(const QueryOperation& operation, const Item& start_key);

// For people: all that the request holds.
std::string ToString(const AttributeValue& value);
std::string ToString(const WriteOperation& operation);
std::string ToString(const GetOperation& operation);
std::string ToString(const QueryOperation& operation);

// The attributes that are the key of the table or of one of its indexes, by the name of the index;
// "" for the table itself.
struct KeyNames {
  std::string partition;
  std::string sort;
};
const KeyNames& KeyNamesOf(std::string_view index);

// The table of the model test: string keys, one index on strings, one on numbers.
CreateTableInput ModelTable();

}  // namespace dolmen::test
