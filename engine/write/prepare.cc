#include "engine/write/prepare.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "engine/base/status_macros.h"
#include "engine/key/key_codec.h"
#include "engine/schema/key_paths.h"
#include "engine/value/codec.h"
#include "engine/write/index_upkeep.h"

namespace dolmen::engine {
namespace {

Status CheckReturnValues(ReturnValues values) {
  if (values == ReturnValues::kNone || values == ReturnValues::kAllOld) return {};
  return Status::Validation("ReturnValues can only be ALL_OLD or NONE");
}

// Copies into the action the options that all write requests have.
template <typename Input>
void CopyOptions(const Input& input, WriteAction* action) {
  action->hide_expired = input.options.hide_expired;
  action->return_item_on_condition_failure = input.return_item_on_condition_failure;
  if constexpr (requires { input.return_values; }) action->return_values = input.return_values;
}

// Calls `use` with the slots of the request's expressions, and returns the result.
template <typename Input, typename Use>
Status WithSlots(const Input& input, WriteAction* action, const Use& use) {
  const ExpressionSlot condition{input.condition, &action->condition};
  if constexpr (requires { input.update; }) {
    return use(ExpressionSlot{input.update, &action->update}, condition);
  } else {
    return use(condition);
  }
}

template <typename Input>
Status BindAll(const Input& input, WriteAction* action) {
  return WithSlots(input, action, [&](const auto&... slots) {
    return BindExpressions(input.names, input.values, &action->placeholders, slots...);
  });
}

// Returns the error for values of index keys that have `fault`. The type of a value comes before its size. Notes in
// the action if a type is wrong.
Status IndexKeyFault(const TableSchema& table, const IndexKeyValues& values, const Status& fault,
                     WriteAction* action) {
  Status types = CheckIndexKeyTypes(table, values);
  action->schema_mismatch = !types.ok();
  return types.ok() ? fault : types;
}

// Checks that the update does not change a key attribute of the table, and that no path leads into
// a key attribute. Checks the values that the update assigns to keys of indexes, and notes in the
// action if the update touches them.
Status CheckKeyUses(const TableSchema& table, WriteAction* action) {
  if (const RequestUpdate& update = action->update) {
    DOLMEN_RETURN_IF_ERROR(update->CheckKeyUnchanged(KeyNames(table.keys).span()));
    DOLMEN_RETURN_IF_ERROR(CheckKeyPaths(table, update->nested_paths()));
    action->touches_index_keys = TouchesIndexKeys(table, *update);
    if (action->touches_index_keys) {
      if (Status keys = CheckAssignedIndexKeys(table, *update); !keys.ok()) {
        return IndexKeyFault(table, AssignedIndexKeyValues(table, *update), keys, action);
      }
    }
  }
  return action->condition ? CheckKeyPaths(table, action->condition->paths()) : Status();
}

// Makes the action a put of `item`, and encodes the item.
Status EncodeNewItem(const Item& item, WriteAction* action) {
  action->kind = WriteAction::Kind::kPut;
  DOLMEN_RETURN_IF_ERROR(EncodeItem(item, &action->item));
  DOLMEN_ASSIGN_OR_RETURN(action->new_item, ItemView::Parse(action->item));
  return {};
}

// Checks the new item against the table's schema, and sets the action's row.
Status PrepareNewItem(const TableSchema& table, PutBy by, WriteAction* action) {
  const ItemView& item = action->new_item;
  const Result<KeyBytes> key = KeyOfNewItem(table.keys, item, by);
  if (!key.ok()) {
    action->schema_mismatch = !MatchesSchema(table.keys, item);
    return key.status();
  }
  action->row = RowKey(table.keyspace, *key);
  action->index_keys = FindIndexKeyValues(table, item);
  if (Status keys = CheckIndexKeys(table, action->index_keys); !keys.ok()) {
    return IndexKeyFault(table, action->index_keys, keys, action);
  }
  return CheckItemSize(table, item, SizeSource::kItem);
}

Status SetKey(const TableSchema& table, const Item& key, WriteAction* action) {
  const Result<KeyBytes> bytes = KeyOfRequest(table.keys, key);
  if (!bytes.ok()) {
    action->schema_mismatch = action->schema_mismatch || !MatchesSchema(table.keys, key);
    return bytes.status();
  }
  action->key = &key;
  action->row = RowKey(table.keyspace, *bytes);
  return {};
}

// Validates and prepares an action whose request names the item by its key.
template <typename Input>
Status PrepareByKey(const TableSchema& table, const Input& input, WriteAction* action) {
  DOLMEN_RETURN_IF_ERROR(Validate(input, action));
  action->table = &table;
  Status uses = CheckKeyUses(table, action);
  if (!uses.ok() && !action->schema_mismatch) return uses;
  // A transaction that names the item twice is refused before an index key of a wrong type.
  Status key = SetKey(table, input.key, action);
  return uses.ok() ? key : uses;
}

const Item& ItemOf(const PutItemInput& input) { return input.item; }
template <typename Input>
const Item& ItemOf(const Input& input) {
  return input.key;
}

Status EmptyExpression(ExpressionKind kind) {
  return Status::Validation(std::string("Invalid ")
                                .append(ExpressionKindName(kind))
                                .append(": The expression can not be empty;"));
}

// Checks that a request has the expression without which it is no action of a transaction.
Status CheckExpressionGiven(const UpdateItemInput& input) {
  return input.update.given() ? Status() : EmptyExpression(ExpressionKind::kUpdate);
}
Status CheckExpressionGiven(const ConditionCheckInput& input) {
  return input.condition.given() ? Status() : EmptyExpression(ExpressionKind::kCondition);
}
template <typename Input>
Status CheckExpressionGiven(const Input&) {
  return {};
}

template <typename Input>
Status CheckReturnsNothing(const Input& input) {
  if constexpr (requires { input.return_values; }) {
    if (input.return_values != ReturnValues::kNone) {
      return Status::Validation("A transaction returns no attributes. Leave out ReturnValues.");
    }
  }
  return {};
}

// Parses the expressions of an action of a transaction.
template <typename Input>
Status ParseInTransaction(const Input& input, WriteAction* action) {
  DOLMEN_RETURN_IF_ERROR(CheckExpressionGiven(input));
  return WithSlots(input, action, [&](const auto&... slots) {
    if (input.names.empty() && input.values.empty() && !(slots.source.given() || ...)) {
      return Status();
    }
    Placeholders& placeholders = action->placeholders.emplace(input.names, input.values);
    placeholders.SetInTransaction();
    return ParseExpressions(placeholders, slots...);
  });
}

// Checks an action of a transaction. DynamoDB reports an empty name of an attribute, then faults in the texts of
// expressions, then those of the item or key, then those of the bound expressions.
template <typename Input>
Status ValidateInTransaction(const Input& input, WriteAction* action) {
  const Item& item = ItemOf(input);
  if (item.find("") != item.end()) return Status::Validation(AttributeNameFault(""));
  DOLMEN_RETURN_IF_ERROR(CheckReturnsNothing(input));
  DOLMEN_RETURN_IF_ERROR(ParseInTransaction(input, action));
  const bool is_put = action->kind == WriteAction::Kind::kPut;
  DOLMEN_RETURN_IF_ERROR(is_put ? EncodeNewItem(item, action) : CheckItem(item));
  if (action->placeholders) {
    DOLMEN_RETURN_IF_ERROR(WithSlots(input, action, [&](const auto&... slots) {
      return BindParsed(*action->placeholders, slots...);
    }));
  }
  return is_put ? CheckItemSize(action->new_item, SizeSource::kItem) : Status();
}

}  // namespace

Status Validate(const PutItemInput& input, WriteAction* action) {
  action->kind = WriteAction::Kind::kPut;
  CopyOptions(input, action);
  if (action->in_transaction) return ValidateInTransaction(input, action);
  DOLMEN_RETURN_IF_ERROR(EncodeNewItem(input.item, action));
  DOLMEN_RETURN_IF_ERROR(CheckReturnValues(input.return_values));
  DOLMEN_RETURN_IF_ERROR(CheckItemSize(action->new_item, SizeSource::kItem));
  return BindAll(input, action);
}

Status Validate(const UpdateItemInput& input, WriteAction* action) {
  action->kind = WriteAction::Kind::kUpdate;
  CopyOptions(input, action);
  if (action->in_transaction) return ValidateInTransaction(input, action);
  DOLMEN_RETURN_IF_ERROR(CheckItem(input.key));
  return BindAll(input, action);
}

Status Validate(const DeleteItemInput& input, WriteAction* action) {
  action->kind = WriteAction::Kind::kDelete;
  CopyOptions(input, action);
  if (action->in_transaction) return ValidateInTransaction(input, action);
  DOLMEN_RETURN_IF_ERROR(CheckItem(input.key));
  DOLMEN_RETURN_IF_ERROR(CheckReturnValues(input.return_values));
  return BindAll(input, action);
}

Status Validate(const ConditionCheckInput& input, WriteAction* action) {
  action->kind = WriteAction::Kind::kCheck;
  CopyOptions(input, action);
  return ValidateInTransaction(input, action);
}

Status ValidateSyntax(const PutItemInput& input, WriteAction* action) {
  return ParseInTransaction(input, action);
}
Status ValidateSyntax(const UpdateItemInput& input, WriteAction* action) {
  return ParseInTransaction(input, action);
}
Status ValidateSyntax(const DeleteItemInput& input, WriteAction* action) {
  return ParseInTransaction(input, action);
}
Status ValidateSyntax(const ConditionCheckInput& input, WriteAction* action) {
  return ParseInTransaction(input, action);
}

Status Prepare(const TableSchema& table, const PutItemInput& input, WriteAction* action) {
  DOLMEN_RETURN_IF_ERROR(Validate(input, action));
  action->table = &table;
  DOLMEN_RETURN_IF_ERROR(CheckKeyUses(table, action));
  return PrepareNewItem(table, PutBy::kPutItem, action);
}

Status Prepare(const TableSchema& table, const PutRequest& request, WriteAction* action) {
  action->table = &table;
  DOLMEN_RETURN_IF_ERROR(EncodeNewItem(request.item, action));
  DOLMEN_RETURN_IF_ERROR(CheckItemSize(action->new_item, SizeSource::kItem));
  return PrepareNewItem(table, PutBy::kBatch, action);
}

Status Prepare(const TableSchema& table, const DeleteRequest& request, WriteAction* action) {
  action->kind = WriteAction::Kind::kDelete;
  action->table = &table;
  DOLMEN_RETURN_IF_ERROR(CheckItem(request.key));
  return SetKey(table, request.key, action);
}

Status Prepare(const TableSchema& table, const UpdateItemInput& input, WriteAction* action) {
  return PrepareByKey(table, input, action);
}

Status Prepare(const TableSchema& table, const DeleteItemInput& input, WriteAction* action) {
  return PrepareByKey(table, input, action);
}

Status Prepare(const TableSchema& table, const ConditionCheckInput& input, WriteAction* action) {
  return PrepareByKey(table, input, action);
}

namespace {

// Returns false if the clauses cannot be charged for more than kItemBytesMax, because the request is small. The stored
// form of a value has at least a quarter of its bytes.
bool MayBeChargedTooMuch(const UpdateSyntax& syntax, const Placeholders* placeholders,
                         const Names& names) {
  std::size_t bytes = syntax.text.size();
  if (placeholders != nullptr) bytes += placeholders->value_bytes();
  for (const auto& [token, name] : names) bytes += name.size();
  constexpr std::size_t kPartBytesMax = 64;  // without names and values
  const std::size_t parts = syntax.actions.size() + syntax.nodes.size() + syntax.steps.size();
  return parts * (kPartBytesMax + 4 * bytes) > kItemBytesMax;
}

}  // namespace

void LimitCharge(const UpdateItemInput& input, WriteAction* action) {
  const RequestUpdate& update = action->update;
  if (!update || update->dialect() != Dialect::kExpression) return;
  const Placeholders* const placeholders = action->placeholders ? &*action->placeholders : nullptr;
  action->check_charge = MayBeChargedTooMuch(*update.tree(), placeholders, input.names) &&
                         update->ChargedBytes() > kItemBytesMax;
}

Status Prepare(const TableSchema& table, const ExpireInput& input, WriteAction* action) {
  action->kind = WriteAction::Kind::kExpire;
  action->table = &table;
  action->row = input.row;
  return {};
}

namespace {

Status TooLarge(SizeSource source) {
  if (source == SizeSource::kUpdate) return UpdateTooLarge();
  return Status::Validation("Item size has exceeded the maximum allowed size");
}

bool IsLocal(const IndexSchema& index) { return index.is_local(); }

Result<std::uint64_t> SizeWithLocalEntries(const TableSchema& table, const ItemView& item) {
  std::uint64_t bytes = item.size_bytes();
  for (const IndexSchema& index : table.indexes) {
    if (!index.is_local()) continue;
    IndexEntry entry;
    DOLMEN_ASSIGN_OR_RETURN(const bool has, MakeEntry(table, index, item, &entry));
    if (has) bytes += entry.size_bytes();
  }
  return bytes;
}

}  // namespace

Status CheckItemSize(const ItemView& item, SizeSource source) {
  return item.size_bytes() <= kItemBytesMax ? Status() : TooLarge(source);
}

Status CheckItemSize(const TableSchema& table, const ItemView& item, SizeSource source) {
  DOLMEN_RETURN_IF_ERROR(CheckItemSize(item, source));
  const auto locals = std::count_if(table.indexes.begin(), table.indexes.end(), IsLocal);
  // Accepts a small item without the computation below. An index entry is not larger than the item,
  // so the item and its local entries together cannot exceed the limit.
  if (std::uint64_t{item.size_bytes()} * static_cast<std::uint64_t>(1 + locals) <= kItemBytesMax) {
    return {};
  }
  DOLMEN_ASSIGN_OR_RETURN(const std::uint64_t bytes, SizeWithLocalEntries(table, item));
  return bytes <= kItemBytesMax ? Status() : TooLarge(source);
}

}  // namespace dolmen::engine
