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

#include "dolmen/internal/hide_macros.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "dolmen/attribute_value.h"
#include "dolmen/consumed_capacity.h"
#include "dolmen/expression.h"
#include "dolmen/internal/flat_map.h"
#include "dolmen/item_view.h"

namespace dolmen {

// Options that every request on items has.
struct RequestOptions {
  // True: expired items count as absent (TimeToLiveSpecification in time_to_live.h). Nothing: the
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

#include "dolmen/internal/show_macros.h"
