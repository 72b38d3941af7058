// Of several faults of a request, the one that DynamoDB reports.

#pragma once

#include <utility>
#include <variant>

#include "dolmen/batch.h"
#include "dolmen/operations.h"
#include "dolmen/status.h"
#include "dolmen/transact.h"
#include "dolmen/validate.h"

namespace dolmen::wire {

// What is wrong with a request to its item or key, with ReturnValues, and with the item's size,
// were it to have no expressions.  kValidation.
inline Status ValidateItem(const GetItemInput& input) {
  return Validate(GetItemInput{.key = input.key});
}
inline Status ValidateItem(const PutItemInput& input) {
  return Validate(PutItemInput{.item = input.item, .return_values = input.return_values});
}
inline Status ValidateItem(const UpdateItemInput& input) {
  return Validate(UpdateItemInput{.key = input.key});
}
inline Status ValidateItem(const DeleteItemInput& input) {
  return Validate(DeleteItemInput{.key = input.key, .return_values = input.return_values});
}
inline Status ValidateItem(const ConditionCheckInput& input) {
  return Validate(GetItemInput{.key = input.key});
}

// `expressions` is what reading the expressions, or what stands for them, has come to; what is
// wrong with the item comes first.  Ok does not say that the item is right, which its operation
// looks at.
template <typename Input>
Status FirstFault(const Input& input, Status expressions) {
  if (expressions.ok()) return expressions;
  Status item = ValidateItem(input);
  return item.ok() ? expressions : item;
}

// A part of a request for several items, by itself.
inline Status ValidatePart(const GetItemInput& get) { return Validate(get); }
inline Status ValidatePart(const TransactGetItem& get) {
  return Validate(GetItemInput{.key = get.key, .projection = get.projection, .names = get.names});
}
inline Status ValidatePart(const PutRequest& put) {
  return Validate(PutItemInput{.item = put.item});
}
inline Status ValidatePart(const DeleteRequest& remove) {
  return Validate(DeleteItemInput{.key = remove.key});
}
template <typename... Inputs>
Status ValidatePart(const std::variant<Inputs...>& part) {
  return std::visit(
      [](const auto& input) {
        if constexpr (requires { Validate(input); }) {
          return Validate(input);
        } else {
          return ValidatePart(input);
        }
      },
      part);
}
inline Status ValidatePart(const TransactWriteItem& write) { return ValidatePart(write.action); }

// Whether a request that has failed so may have been right by itself, and wrong for its tables.
inline bool MayBeOfTables(const Status& failed) {
  return failed.code() == StatusCode::kValidation || failed.code() == StatusCode::kResourceNotFound;
}

// `failed` is what a request of these parts has failed with: a fault of any of them by itself comes
// before what the table of another has to say, or that there is no such table.
template <typename Parts>
Status FirstFaultOf(const Parts& parts, Status failed) {
  if (!MayBeOfTables(failed)) return failed;
  for (const auto& part : parts) {
    if (Status valid = ValidatePart(part); !valid.ok()) return valid;
  }
  return failed;
}

}  // namespace dolmen::wire
