// One write of one item as the service gets it: an operation of its own, or an action of a
// transaction.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/item_view.h"
#include "dolmen/operations.h"
#include "dolmen/result.h"
#include "engine/expression/expression_writer.h"
#include "remote/hidden_items.h"
#include "wire/json_writer.h"

namespace dolmen::remote {

// A write of one item.
struct ActionRequest {
  enum class Kind : std::uint8_t { kPut, kUpdate, kDelete, kCheck };
  Kind kind = Kind::kCheck;
  StoredItem item = {};        // kPut: the item; otherwise its key
  std::string update = {};     // an UpdateExpression; empty: none
  std::string condition = {};  // a ConditionExpression; empty: none
  internal::ExpressionWriter expressions = {};
  bool return_old_on_failure = false;
};

// Returns the request as the program made it. If `hidden` is given, the request also fails with
// kConditionalCheckFailed, and with the item, if its item is hidden. A put without a condition does
// not, because it replaces the item anyway.
// - kValidation, with DynamoDB's message: a value cannot be stored.
Result<ActionRequest> MakeAction(const PutItemInput& input,
                                 const std::optional<HiddenItems>& hidden);
Result<ActionRequest> MakeAction(const UpdateItemInput& input,
                                 const std::optional<HiddenItems>& hidden);
Result<ActionRequest> MakeAction(const DeleteItemInput& input,
                                 const std::optional<HiddenItems>& hidden);
Result<ActionRequest> MakeAction(const ConditionCheckInput& input,
                                 const std::optional<HiddenItems>& hidden);

// Returns the deletion of the item if it is hidden.
Result<ActionRequest> DeletionOfHidden(const Item& key, const HiddenItems& hidden);

// Writes the members that the operation and the action of a transaction share.
void WriteAction(std::string_view table, const ActionRequest& action, wire::JsonWriter* json);

// Returns the name of the operation, "PutItem", or of the action of a transaction, "Put".
std::string_view OperationName(ActionRequest::Kind kind);
std::string_view ActionName(ActionRequest::Kind kind);

}  // namespace dolmen::remote
