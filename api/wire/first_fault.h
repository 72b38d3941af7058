// Of several faults of a request, the one that DynamoDB reports.

#pragma once

#include <algorithm>
#include <iterator>
#include <variant>
#include <vector>

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
// A check without its condition, which is an expression, is none: a get has as much left.
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

// What is asked of one table: its keys, and all of it, before it has its table or after.
inline Status ValidateKeys(const std::vector<Item>& keys) {
  for (const Item& key : keys) {
    if (Status valid = Validate(GetItemInput{.key = key}); !valid.ok()) return valid;
  }
  return {};
}
template <typename Gets>
Status ValidateGets(const Gets& gets) {
  Status valid = ValidateKeys(gets.keys);
  if (!valid.ok()) return valid;
  valid = Validate(GetItemInput{.projection = gets.projection, .names = gets.names});
  if (!valid.ok()) return valid;
  for (auto key = gets.keys.begin(); key != gets.keys.end(); ++key) {
    if (std::find(std::next(key), gets.keys.end(), *key) == gets.keys.end()) continue;
    return Status::Validation("Provided list of item keys contains duplicates");
  }
  return {};
}
inline Status ValidatePart(const KeysAndAttributes& gets) { return ValidateGets(gets); }

// All parts of a request; what is written to one table has parts, too.
inline Status ValidatePart(const WriteRequests& writes);
template <typename Parts>
Status ValidateParts(const Parts& parts) {
  for (const auto& part : parts) {
    if (Status valid = ValidatePart(part); !valid.ok()) return valid;
  }
  return {};
}
inline Status ValidatePart(const WriteRequests& writes) { return ValidateParts(writes.requests); }

// `failed` is what a request of these parts has failed with: a fault of any of them by itself comes
// before what the table of another has to say, or that there is no such table.
template <typename Parts>
Status FirstFaultOf(const Parts& parts, Status failed) {
  const bool may_be_of_tables =
      failed.code() == StatusCode::kValidation || failed.code() == StatusCode::kResourceNotFound;
  if (!may_be_of_tables) return failed;
  Status part = ValidateParts(parts);
  return part.ok() ? failed : part;
}

}  // namespace dolmen::wire
