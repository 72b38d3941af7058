// The requests and answers of the operations on single items, with DynamoDB's names in C++
// spelling. The C++ API, DynamoDB's JSON (wire.h) and entities (entity.h) all fill these structs.
//
//   const auto edit = table.UpdateItem({.key = {{"PK", "USER#1"}, {"SK", "PROFILE"}},
//                                       .update = "SET #n = :n ADD edits :one",
//                                       .condition = "attribute_exists(PK)",
//                                       .names = {{"#n", "name"}},
//                                       .values = {{":n", "Ann"}, {":one", 1}},
//                                       .return_values = ReturnValues::kUpdatedNew});
//
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Operations_Amazon_DynamoDB.html

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dolmen/attribute_value.h"
#include "dolmen/expression.h"
#include "dolmen/internal/flat_map.h"
#include "dolmen/internal/lifetime.h"
#include "dolmen/internal/shared.h"
#include "dolmen/item_view.h"

namespace dolmen {

namespace internal {
class Backend;
class ItemRewriter;

// An open table inside its backend. Each backend derives its own class.
class TableState {
 public:
  virtual ~TableState() = default;
  virtual const std::string& name() const = 0;
};
}  // namespace internal

// A reference to an open table. Requests use it to name a table, for example in a batch or a
// transaction. Every Table is a TableRef:
//
//   TransactWriteItem action{.table = table, .action = PutItemInput{.item = item}};
//
// A handle: copies refer to the same table, and they keep its database open. A handle that was
// moved from can only be assigned to or destroyed. Thread-safe.
class TableRef {
 public:
  // For implementations of internal::Backend. A program gets a TableRef from Database::CreateTable
  // or Database::OpenTable, because the returned Table is a TableRef.
  TableRef(internal::Shared<internal::Backend> backend,
           internal::Shared<internal::TableState> state)
      : backend_(std::move(backend)), state_(std::move(state)) {}

  // Returns the table's name. The reference is valid as long as this object.
  const std::string& name() const DOLMEN_LIFETIME_BOUND { return state_->name(); }

  // For implementations of internal::Backend. Return the backend of the table's database, and the
  // backend's object for the table.
  const internal::Shared<internal::Backend>& backend() const DOLMEN_LIFETIME_BOUND {
    return backend_;
  }
  const internal::Shared<internal::TableState>& state() const DOLMEN_LIFETIME_BOUND {
    return state_;
  }

 private:
  internal::Shared<internal::Backend> backend_;
  internal::Shared<internal::TableState> state_;
};

// The level of detail at which an output reports the consumed capacity.
enum class ReturnConsumedCapacity : std::uint8_t {
  kNone,    // none; Dolmen does not compute it
  kTotal,   // one sum for each table
  kIndexes  // the sum, and the parts for the table itself and for each index
};

// An amount of capacity. An operation in a transaction counts twice.
struct Capacity {
  // Reads, in units of 4 KB, rounded up. A read counts at least 1 unit, even if it finds no item.
  // Without consistent_read, a read counts half as much. Query and Scan add up the sizes of all
  // items of a page before they round.
  double read_units = 0;

  // Writes, in units of 1 KB, rounded up. A write counts the size of the item before or after the
  // write, whichever is larger. A write counts at least 1 unit. Each index entry that is written,
  // moved or deleted counts in addition.
  double write_units = 0;

  // Returns the sum of the read units and the write units, which DynamoDB reports as CapacityUnits.
  double units() const { return read_units + write_units; }

  // Adds both kinds.
  Capacity& operator+=(const Capacity& other) {
    read_units += other.read_units;
    write_units += other.write_units;
    return *this;
  }
  friend bool operator==(const Capacity&, const Capacity&) = default;
};

// The capacity that an operation consumed on one table and its indexes.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ConsumedCapacity.html
struct ConsumedCapacity {
  using ByIndex = internal::FlatMap<Capacity>;

  std::string table_name = {};

  // The capacity of the table and all its indexes together.
  Capacity total = {};

  // The parts of `total` for the table itself and for each index. Set only with
  // ReturnConsumedCapacity::kIndexes. The maps have an entry for each index that the operation
  // read or wrote.
  Capacity table = {};
  ByIndex global_secondary_indexes = {};
  ByIndex local_secondary_indexes = {};

  friend bool operator==(const ConsumedCapacity&, const ConsumedCapacity&) = default;
};

// Options that every request on items has.
struct RequestOptions {
  // True: expired items count as absent (TimeToLiveSpecification in create_table.h). Nothing: the
  // table's TimeToLiveSpecification::hide_expired decides.
  std::optional<bool> hide_expired = {};

  // The level of detail at which the output reports the consumed capacity.
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
};

// ExpressionAttributeNames: the attribute names for the placeholders in a request's texts, for
// example {{"#status", "status"}}. A placeholder is # and letters, digits or _, at most 255 bytes.
// Every placeholder that is given here must be used by an expression, and every placeholder in an
// expression must be given here. Otherwise the request fails with kValidation.
using Names = internal::FlatMap<std::string>;

// ExpressionAttributeValues: the values for the placeholders in a request's texts, for example
// {{":one", 1}}. The rules of Names apply, with : in place of #. All values of a request have at
// most 2 MB together.
using Values = Map;

// The attributes that a write returns.
enum class ReturnValues : std::uint8_t {
  kNone,        // none
  kAllOld,      // the whole item before the write; nothing if no item existed
  kUpdatedOld,  // UpdateItem only: the attributes that the update names, before the write
  kAllNew,      // UpdateItem only: the whole item after the write
  kUpdatedNew   // UpdateItem only: the attributes that the update names, after the write
};

// Fields that several inputs share:
// - `key` must have exactly the key attributes of the table, with their types.
// - `condition` must hold for the item as it is before the write; otherwise the write fails with
//   kConditionalCheckFailed. An item that does not exist counts as an item without attributes.
//   Default: no condition.
// - `names` and `values` are the placeholders of the expressions that are given as texts.
// - `return_item_on_condition_failure` (ReturnValuesOnConditionCheckFailure: ALL_OLD) puts the item
//   that failed the condition into the error: Status::item(). In a transaction the reason of the
//   action has the item: Status::reasons()[i].item().
// - `options` are RequestOptions.

// A read of one item.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_GetItem.html
struct GetItemInput {
  Item key = {};
  ProjectionExpression projection = {};  // the attributes to return; none: all attributes
  Names names = {};
  // Every read of a database in this process is consistent. There this field only changes
  // consumed_capacity: with false, a read counts half the units that it counts with true. A remote
  // database (Database::Connect) sends the field: with false, a read may not see the newest writes.
  bool consistent_read = false;
  RequestOptions options = {};
};

struct GetItemOutput {
  // The item; nothing if it does not exist. If the item has none of the projected attributes, this
  // field holds an item without attributes.
  std::optional<StoredItem> item = {};
  std::optional<ConsumedCapacity> consumed_capacity = {};  // present if the request asked for it
};

// A write that stores an item in place of any item with the same key.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_PutItem.html
struct PutItemInput {
  Item item = {};  // with the key attributes; at most 400 KB
  ConditionExpression condition = {};
  Names names = {};
  Values values = {};
  ReturnValues return_values = ReturnValues::kNone;  // kNone or kAllOld
  bool return_item_on_condition_failure = false;
  RequestOptions options = {};
};

// A write that changes attributes of an item, or creates the item.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateItem.html
struct UpdateItemInput {
  Item key = {};
  // The changes. Empty: an existing item does not change; if no item exists, the write creates an
  // item with only the key. If no item exists and all changes are REMOVE or DELETE, the write
  // creates no item.
  UpdateExpression update = {};
  ConditionExpression condition = {};
  Names names = {};
  Values values = {};
  ReturnValues return_values = ReturnValues::kNone;
  bool return_item_on_condition_failure = false;
  RequestOptions options = {};
  internal::Shared<internal::ItemRewriter> rewriter = {};  // for the entity layer; usually null
};

// A write that deletes an item.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DeleteItem.html
struct DeleteItemInput {
  Item key = {};
  ConditionExpression condition = {};
  Names names = {};
  Values values = {};
  ReturnValues return_values = ReturnValues::kNone;  // kNone or kAllOld
  bool return_item_on_condition_failure = false;
  RequestOptions options = {};
};

// An action of a transaction that writes nothing. The transaction succeeds only if the condition
// holds.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ConditionCheck.html
struct ConditionCheckInput {
  Item key = {};
  ConditionExpression condition = {};  // required
  Names names = {};
  Values values = {};
  bool return_item_on_condition_failure = false;
  RequestOptions options = {};  // only hide_expired is used
};

// The result of a write of one item.
struct WriteItemOutput {
  // The attributes that return_values selects; nothing if none of them exist.
  std::optional<StoredItem> attributes = {};
  std::optional<ConsumedCapacity> consumed_capacity = {};  // present if the request asked for it
};

}  // namespace dolmen
