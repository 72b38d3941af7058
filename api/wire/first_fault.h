// The choice of the error that DynamoDB reports if a request has several errors, and the table that a
// request to read or write items names.

#pragma once

#include <algorithm>
#include <iterator>
#include <variant>
#include <vector>

#include "database/validate.h"
#include "dolmen/batch.h"
#include "dolmen/operations.h"
#include "dolmen/result.h"
#include "dolmen/table.h"
#include "dolmen/transaction.h"
#include "engine/base/status_macros.h"
#include "wire/item_requests.h"
#include "wire/names.h"
#include "wire/operation.h"

namespace dolmen::wire {

// Checks the item or key of a request, ReturnValues and the size of the item. Ignores expressions.
// - kValidation: the item, the key or ReturnValues is invalid, or the item is too large.
inline Status ValidateItem(const GetItemInput& input) { return ValidateKey(input.key); }
inline Status ValidateItem(const PutItemInput& input) {
  Status item = ValidateNewItem(input.item);
  if (!item.ok() && !IsTooLarge(input.item)) return item;
  DOLMEN_RETURN_IF_ERROR(Validate(PutItemInput{.return_values = input.return_values}));
  return item;
}
inline Status ValidateItem(const UpdateItemInput& input) { return ValidateKey(input.key); }
inline Status ValidateItem(const DeleteItemInput& input) {
  DOLMEN_RETURN_IF_ERROR(ValidateKey(input.key));
  return Validate(DeleteItemInput{.return_values = input.return_values});
}

// Returns the error that DynamoDB reports. `expressions` is the result of reading the expressions
// or the legacy parameters. If `expressions` is ok, returns ok; the operation checks the item
// later. If `expressions` is an error and the item is invalid, returns the error of the item. If
// `expressions` is an error and the item is valid, returns `expressions`.
template <typename Input>
Status FirstFault(const Input& input, Status expressions) {
  if (expressions.ok()) return expressions;
  Status item = ValidateItem(input);
  return item.ok() ? expressions : item;
}

// Checks one part of a batch or a transaction. Makes only the checks that do not need the table.
inline Status ValidatePart(const GetItemInput& get) { return Validate(get); }
inline Status ValidatePart(const TransactGetItem& get) {
  DOLMEN_RETURN_IF_ERROR(ValidateKey(get.key));
  return Validate(GetItemInput{.projection = get.projection, .names = get.names});
}
inline Status ValidatePart(const PutRequest& put) { return ValidateNewItem(put.item); }
inline Status ValidatePart(const DeleteRequest& remove) { return ValidateKey(remove.key); }
inline Status ValidatePart(const WriteRequest& write) {
  return std::visit([](const auto& request) { return ValidatePart(request); }, write);
}
inline Status ValidatePart(const TransactAction& action) { return ValidateAction(action); }

// ValidateKeys checks the keys that a batch reads from one table. ValidateGets checks the keys and
// then the other parameters for that table.
inline Status ValidateKeys(const std::vector<Item>& keys) {
  for (const Item& key : keys) {
    DOLMEN_RETURN_IF_ERROR(ValidateKey(key));
  }
  return {};
}
template <typename Gets>
Status ValidateGets(const Gets& gets) {
  DOLMEN_RETURN_IF_ERROR(ValidateKeys(gets.keys));
  DOLMEN_RETURN_IF_ERROR(
      Validate(GetItemInput{.projection = gets.projection, .names = gets.names}));
  for (auto key = gets.keys.begin(); key != gets.keys.end(); ++key) {
    if (std::find(std::next(key), gets.keys.end(), *key) == gets.keys.end()) continue;
    return Status::Validation("Provided list of item keys contains duplicates");
  }
  return {};
}
inline Status ValidatePart(const KeysAndAttributes& gets) { return ValidateGets(gets); }
inline Status ValidatePart(const TableKeys& gets) { return ValidateGets(gets); }
inline Status ValidateItem(const TableKeys& gets) { return ValidateKeys(gets.keys); }

// Checks all parts of a batch or a transaction. A part of type WriteRequests, which holds all
// writes of a batch to one table, is itself a list of parts.
inline Status ValidatePart(const WriteRequests& writes);
template <typename Parts>
Status ValidateParts(const Parts& parts) {
  for (const auto& part : parts) {
    DOLMEN_RETURN_IF_ERROR(ValidatePart(part));
  }
  return {};
}
inline Status ValidatePart(const WriteRequests& writes) { return ValidateParts(writes.requests); }

// Returns the error that DynamoDB reports for a request that failed with `failed`. If
// ValidateParts, which does not need the tables, finds an invalid part, returns the error of the
// first invalid part. Otherwise returns `failed`. If `failed` is neither kValidation nor
// kResourceNotFound, returns it without a check of the parts.
template <typename Parts>
Status FirstFaultOf(const Parts& parts, Status failed) {
  const bool may_be_of_tables =
      failed.code() == StatusCode::kValidation || failed.code() == StatusCode::kResourceNotFound;
  if (!may_be_of_tables) return failed;
  Status part = ValidateParts(parts);
  return part.ok() ? failed : part;
}

// --- the tables of requests ---

// Open the table with the given name or ARN, or the table that the request names.
// - kResourceNotFound: the table does not exist, or it is being created.
inline Result<Table> OpenNamedTable(const Context& context, std::string_view name_or_arn) {
  return context.database.OpenTable(TableNameOf(name_or_arn));
}
inline Result<Table> OpenTable(const Context& context, const JsonObject& request) {
  return OpenNamedTable(context, StringMember(request, "TableName"));
}

// Opens the table of a request that has been read into `input`. If the table does not exist and
// `input` is invalid, returns the error of `input`, as DynamoDB does.
// - kResourceNotFound: the table does not exist.
// - kValidation: the table does not exist, and `input` is invalid.
template <typename Input>
Result<Table> OpenTableFor(const Context& context, const JsonObject& request, const Input& input) {
  Result<Table> table = OpenTable(context, request);
  if (table.ok()) return table;
  Status valid = Validate(input);
  return valid.ok() ? table : valid;
}

}  // namespace dolmen::wire
