// What goes into the item operations and what comes out, in DynamoDB's words.  Every way in
// fills the same structs.
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

// ExpressionAttributeNames: {{"#status", "status"}}.
using Names = boost::container::flat_map<std::string, std::string, std::less<>>;
// ExpressionAttributeValues: {{":one", 1}}.
using Values = Map;

// Which attributes a write returns.  PutItem and DeleteItem know kNone and kAllOld only.
enum class ReturnValues : std::uint8_t { kNone, kAllOld, kUpdatedOld, kAllNew, kUpdatedNew };

struct GetItemInput {
  Item key = {};                         // exactly the table's key attributes
  ProjectionExpression projection = {};  // none: all attributes
  Names names = {};
  // Every read is consistent; this says whether one is to be paid for.
  bool consistent_read = false;
  std::optional<bool> hide_expired = {};  // nothing: as the table has it (time_to_live.h)
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
};

struct GetItemOutput {
  std::optional<StoredItem> item = {};  // nothing if there is no such item
  std::optional<ConsumedCapacity> consumed_capacity = {};
};

struct PutItemInput {
  Item item = {};
  ConditionExpression condition = {};
  Names names = {};
  Values values = {};
  ReturnValues return_values = ReturnValues::kNone;
  bool return_item_on_condition_failure = false;  // ReturnValuesOnConditionCheckFailure: ALL_OLD
  std::optional<bool> hide_expired = {};          // nothing: as the table has it (time_to_live.h)
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
};

struct UpdateItemInput {
  Item key = {};
  UpdateExpression update = {};  // none: only make sure that the item exists
  ConditionExpression condition = {};
  Names names = {};
  Values values = {};
  ReturnValues return_values = ReturnValues::kNone;
  bool return_item_on_condition_failure = false;
  std::optional<bool> hide_expired = {};  // nothing: as the table has it (time_to_live.h)
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
};

struct DeleteItemInput {
  Item key = {};
  ConditionExpression condition = {};
  Names names = {};
  Values values = {};
  ReturnValues return_values = ReturnValues::kNone;
  bool return_item_on_condition_failure = false;
  std::optional<bool> hide_expired = {};  // nothing: as the table has it (time_to_live.h)
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
};

// A transaction's action that writes nothing and must hold.
struct ConditionCheckInput {
  Item key = {};
  ConditionExpression condition = {};  // required
  Names names = {};
  Values values = {};
  bool return_item_on_condition_failure = false;
  std::optional<bool> hide_expired = {};  // nothing: as the table has it (time_to_live.h)
};

struct WriteItemOutput {
  std::optional<StoredItem> attributes = {};  // as ReturnValues asked; nothing if there are none
  std::optional<ConsumedCapacity> consumed_capacity = {};
};

}  // namespace dolmen
