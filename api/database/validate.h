// Functions that check a request without an open table. Each operation does the same checks before
// it uses its table. The functions are for programs that have only the name of a table and must
// report errors in DynamoDB's order: an invalid request first, then a missing table.
//
//   if (Status valid = Validate(input); !valid.ok()) return valid;
//   const auto table = db.OpenTable(name);  // kResourceNotFound comes second

#pragma once

#include "dolmen/operations.h"
#include "dolmen/query.h"
#include "dolmen/result.h"
#include "dolmen/scan.h"
#include "dolmen/transaction.h"

namespace dolmen {

// Each function returns success, or kValidation with the message that the operation would return.
// It checks values, limits, expressions and placeholders. Success says nothing about the table's
// keys and indexes, so the operation may still fail. Thread-safe.
Status Validate(const GetItemInput& input);
Status Validate(const PutItemInput& input);
Status Validate(const UpdateItemInput& input);
Status Validate(const DeleteItemInput& input);
Status Validate(const ConditionCheckInput& input);
Status Validate(const QueryInput& input);
Status Validate(const ScanInput& input);

// Check the item of a PutItem, or the key of another request, as Validate checks a request that has nothing else. They
// need no copy of the item, which may take more memory than the text of its request.
Status ValidateNewItem(const Item& item);
Status ValidateKey(const Item& key);

// Checks an action of a transaction. DynamoDB reports its errors in another order than those of a write of one item.
Status ValidateAction(const decltype(TransactWriteItem::action)& action);
// Checks only the placeholders and the syntax of the expressions of an action of a transaction. Thread-safe.
Status ValidateActionSyntax(const decltype(TransactWriteItem::action)& action);

// Returns true if the item is valid but for its size, which is above DynamoDB's limit.
bool IsTooLarge(const Item& item);

// Checks the placeholders and the names of ExpressionAttributeNames. Returns success, or kValidation
// with the message that an operation would return. Thread-safe.
Status ValidateNames(const Names& names);

}  // namespace dolmen
