// One write of one item as the service gets it: an operation of its own, or an action of a
// transaction.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "database/write_decision.h"
#include "dolmen/item_view.h"
#include "dolmen/operations.h"
#include "dolmen/result.h"
#include "engine/expression/expression_writer.h"
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
Result<ActionRequest> PlainAction(const PutItemInput& input,
                                  const std::optional<internal::HiddenItems>& hidden);
Result<ActionRequest> PlainAction(const UpdateItemInput& input,
                                  const std::optional<internal::HiddenItems>& hidden);
Result<ActionRequest> PlainAction(const DeleteItemInput& input,
                                  const std::optional<internal::HiddenItems>& hidden);
Result<ActionRequest> PlainAction(const ConditionCheckInput& input,
                                  const std::optional<internal::HiddenItems>& hidden);

// The plain form of an update with a rewriter (internal::ItemRewriter::MakePlain).
struct PlainUpdateAction {
  ActionRequest action = {};
  ReturnValues return_values = ReturnValues::kNone;  // the rewriter gets the item of kAllNew
};

// Returns the plain form of an update with a rewriter; nothing if it has none. Its request also fails if
// the item is hidden, and returns the item when it fails.
std::optional<PlainUpdateAction> PlainForm(const UpdateItemInput& input,
                                           const std::optional<internal::HiddenItems>& hidden);

// Returns the request that has the effect of `decision`, which was made for the stored item `old`. It
// fails with kConditionalCheckFailed if the item has changed; the error holds the item. `old` is nothing
// if no item exists. `is_hidden` is true if the decision has counted `old` as absent. `keys` are the table's key attributes.
// - kValidation: `old` has more than 140 attributes, so that the condition would be too long.
Result<ActionRequest> GuardedAction(const Item& key, const std::vector<std::string>& keys,
                                    const std::optional<StoredItem>& old, bool is_hidden,
                                    const internal::WriteDecision& decision);

// Returns a request whose condition is false for every item.
Result<ActionRequest> FailingAction(const Item& key, const std::string& key_name);

// Writes the members that the operation and the action of a transaction share.
void WriteAction(std::string_view table, const ActionRequest& action, wire::JsonWriter* json);

// Returns the name of the operation, "PutItem", or of the action of a transaction, "Put".
std::string_view OperationName(ActionRequest::Kind kind);
std::string_view ActionName(ActionRequest::Kind kind);

}  // namespace dolmen::remote
