// Parsed PartiQL statements. The parser (statement_parser.h) creates them, and a cache keeps them
// by their texts (statement_parser.h).
//
// The conditions, projections and updates of a statement are the syntax trees of expressions, with
// the dialect kStatement. A parameter `?` is a placeholder (ParameterToken). A literal is a literal of
// the tree.

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dolmen/attribute_value.h"
#include "dolmen/operations.h"
#include "dolmen/result.h"
#include "engine/base/mutex.h"
#include "engine/expression/syntax/syntax.h"

namespace dolmen::database {

// A key attribute in ORDER BY.
struct StatementOrder {
  std::string attribute;
  bool descending = false;
};

// A parameter that a statement requires to be a set, and the error if it has another type.
struct SetParameter {
  std::uint32_t parameter;
  std::string message;
};

struct ReadShape;  // api/database/statement/lower/lower_read.h

// The lowered form that a SELECT had when it was last executed. Thread-safe; never waits for
// another thread.
class StatementMemo {
 public:
  // Returns the form, or null if none is kept or another thread uses the memo.
  std::shared_ptr<const ReadShape> Get() {
    if (!mutex_.TryLock()) return nullptr;
    std::shared_ptr<const ReadShape> shape = shape_;
    mutex_.Unlock();
    return shape;
  }
  // Keeps the form. Does nothing if another thread uses the memo.
  void Set(std::shared_ptr<const ReadShape> shape) {
    if (!mutex_.TryLock()) return;
    shape_ = std::move(shape);
    mutex_.Unlock();
  }

 private:
  Mutex mutex_;
  std::shared_ptr<const ReadShape> shape_ DOLMEN_GUARDED_BY(mutex_);
};

// A parsed statement. Immutable after the parser has finished, apart from its memo, so threads may
// share it.
struct Statement {
  enum class Kind : std::uint8_t { kSelect, kInsert, kUpdate, kDelete, kExists };

  std::vector<char> text;  // the text that was parsed
  Kind kind = Kind::kSelect;
  bool explains = false;  // EXPLAIN stands before the statement; not for kExists
  std::string table;
  std::string index;                  // empty: the table itself
  std::uint32_t parameter_count = 0;  // the number of `?` in the text

  // SELECT and EXISTS: the columns in the order of the statement, and the name of each column in
  // the result. Null: `*`.
  std::shared_ptr<const engine::ProjectionSyntax> columns;
  std::vector<std::string> column_names;
  // SELECT with a column of several steps: the top-level attributes of all columns, each once.
  // Null: all columns are top-level attributes.
  std::shared_ptr<const engine::ProjectionSyntax> column_attributes;
  std::vector<StatementOrder> order;

  std::shared_ptr<const engine::ConditionSyntax> where;  // null: there is no WHERE

  // INSERT: the attributes with literals, and the attributes with the numbers of their parameters.
  Item item;
  std::vector<std::pair<std::string, std::uint32_t>> item_parameters;

  std::shared_ptr<const engine::UpdateSyntax> update;  // UPDATE only
  std::vector<SetParameter> set_parameters;            // UPDATE only
  ReturnValues returning = ReturnValues::kNone;        // UPDATE and DELETE

  // The first fault of the structure, such as a clause that is not supported. DynamoDB reports it after
  // the faults of the parameters' values. The statement must not be executed, and the fields that
  // follow the fault in the text may be empty.
  Status fault;

  std::shared_ptr<StatementMemo> memo = std::make_shared<StatementMemo>();

  bool reads() const { return kind == Kind::kSelect; }
};

// Returns true for a set of any type.
inline bool IsSetValue(const AttributeValue& value) {
  return value.type() == AttributeType::kSS || value.type() == AttributeType::kNS ||
         value.type() == AttributeType::kBS;
}

// Returns DynamoDB's message about an UPDATE or a DELETE that does not name one item by its key.
inline std::string MissingKeyEquality() {
  return "Where clause does not contain a mandatory equality on all key attributes";
}

}  // namespace dolmen::database
