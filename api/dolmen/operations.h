// The requests and answers of the operations on single items, with DynamoDB's names in C++
// spelling.  The C++ API, DynamoDB's JSON (wire.h) and entities (entity.h) all fill these structs.
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

#include <boost/container/flat_map.hpp>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "dolmen/attribute_value.h"
#include "dolmen/capacity.h"
#include "dolmen/expression.h"
#include "dolmen/item_view.h"

namespace dolmen {

// ExpressionAttributeNames: the names that texts of a request refer to, {{"#status", "status"}}.
// A placeholder is # and letters, digits or _, at most 255 bytes.  A request fails with kValidation
// if it has a placeholder that no expression uses, or lacks one that an expression uses.
using Names = boost::container::flat_map<std::string, std::string, std::less<>>;

// ExpressionAttributeValues: the values that texts of a request refer to, {{":one", 1}}.  The
// rules of Names apply, with : in place of #.  All values of a request have at most 2 MB together.
using Values = Map;

// The attributes that a write returns.
enum class ReturnValues : std::uint8_t {
  kNone,        // none
  kAllOld,      // the whole item before the write; nothing if it did not exist
  kUpdatedOld,  // UpdateItem only: the attributes that the update names, before the write
  kAllNew,      // UpdateItem only: the whole item after the write
  kUpdatedNew   // UpdateItem only: the attributes that the update names, after the write
};

// Fields that several inputs share:
// - `key` has exactly the key attributes of the table, with their types.
// - `condition` must hold for the item as it is before the write; otherwise the write fails with
//   kConditionalCheckFailed.  An item that does not exist has no attributes.  Default: no
//   condition.
// - `names` and `values` are the placeholders of the expressions that are given as texts.
// - `return_item_on_condition_failure` (ReturnValuesOnConditionCheckFailure: ALL_OLD) puts the item
//   that failed the condition into the error: Status::item().  In a transaction it is in the reason
//   of the action: Status::reasons()[i].item().
// - `hide_expired` decides if an expired item counts as absent (time_to_live.h).  Nothing: as the
//   table's time to live says.

// A read of one item.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_GetItem.html
struct GetItemInput {
  Item key = {};
  ProjectionExpression projection = {};  // the attributes to return; none: all attributes
  Names names = {};
  // Every read of Dolmen is consistent.  This field decides only which kind of read
  // consumed_capacity counts: false counts half.
  bool consistent_read = false;
  std::optional<bool> hide_expired = {};
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
};

struct GetItemOutput {
  // The item; nothing if it does not exist.  Without any attribute if the projection names none
  // that the item has.
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
  std::optional<bool> hide_expired = {};
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
};

// A write that changes attributes of an item, or creates the item.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateItem.html
struct UpdateItemInput {
  Item key = {};
  // The changes.  None: create an item with the key alone if it does not exist.
  UpdateExpression update = {};
  ConditionExpression condition = {};
  Names names = {};
  Values values = {};
  ReturnValues return_values = ReturnValues::kNone;
  bool return_item_on_condition_failure = false;
  std::optional<bool> hide_expired = {};
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
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
  std::optional<bool> hide_expired = {};
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
};

// An action of a transaction that writes nothing, but must hold for the transaction to succeed.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ConditionCheck.html
struct ConditionCheckInput {
  Item key = {};
  ConditionExpression condition = {};  // required
  Names names = {};
  Values values = {};
  bool return_item_on_condition_failure = false;
  std::optional<bool> hide_expired = {};
};

// The answer to a write of one item.
struct WriteItemOutput {
  // The attributes that return_values asked for; nothing if none exist.
  std::optional<StoredItem> attributes = {};
  std::optional<ConsumedCapacity> consumed_capacity = {};  // present if the request asked for it
};

}  // namespace dolmen
