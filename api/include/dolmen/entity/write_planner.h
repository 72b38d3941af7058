// The planner of writes: it makes the request that writes an entity, and explains why the table
// rejected a request.
//
// The planner sends nothing. RequestSender sends a planned write alone or as part of a
// transaction. Each request has a condition that protects the stored item: a write never replaces
// or changes an item of a different entity.

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dolmen/entity/changes.h"
#include "dolmen/entity/item.h"
#include "dolmen/entity/update_planner.h"
#include "dolmen/transaction.h"

namespace dolmen::entity {

// The request of one write: a put, an update, a delete or a condition check.
using Action = decltype(TransactWriteItem::action);

// A request with the facts that are needed to explain its rejection.
struct PlannedWrite {
  // The written entity, a constant of the program.
  const EntitySpec* entity = nullptr;

  Action action = {};

  // The condition on the existing item with the same key:
  // - kRequired: an item of the entity must exist.
  // - kForbidden: an item must not exist.
  // - kAllowed: no item exists, or the existing item is an item of the entity.
  enum class Existing : std::uint8_t { kRequired, kForbidden, kAllowed };
  Existing existing = Existing::kRequired;

  // The version that the existing item must have. 0 means that an item must not exist. Empty if
  // the request does not check a version.
  std::optional<std::int64_t> version = {};

  // The caller's own conditions. `action` contains them, together with the conditions above.
  std::vector<WriteCondition> conditions = {};

  // The changes of an update that affect unique attributes (EntitySpec::uniques).
  std::vector<Change> unique_changes = {};

  // The writes of the inverse, if the entity is an edge (EntitySpec::edges).
  std::vector<PlannedWrite> inverses = {};

  // The error of the write if its condition is false. Ok: the item decides (ExplainRefusal).
  Status refusal = {};

  // The members below are those of an update; other writes leave them empty.

  // The steps that `action` contains, and the inputs of fill functions.
  PlannedUpdate update = {};
  FillContext context = {};
  // The place for the updated entity, which sending the write fills. Null: the caller does not need it.
  OwnedStruct* updated = nullptr;

  // The request that was sent last (RequestSender::SendWrite). Empty: the update was not sent yet.
  std::optional<Action> sent = {};
};

// Plans EntityTable::Create and EntityTable::Put. `value` points to the entity's struct. The
// functions fill in attributes and the version of this struct, so that the caller can return the
// entity as stored. On an error the struct may be partly filled.
// - kValidation: the entity cannot be stored (ToItem), or its version has reached its maximum.
Result<PlannedWrite> PlanCreate(const EntitySpec& entity, const FillContext& context, void* value);
Result<PlannedWrite> PlanPut(const EntitySpec& entity, const FillContext& context, void* value);

// Plans EntityTable::Update. `key` points to a struct of which only the attributes of the primary
// key are read.
// - kValidation: the key is incomplete, or a change is not allowed (PlanUpdateSteps).
// - kValidation: the changes check a version, but the entity has no version.
// - kValidation: the changes check a version, but also allow the update to create the entity.
// - kValidation: the entity has unique attributes, and the changes allow the update to create it, or
//   change one of these attributes by more than Set and Remove.
Result<PlannedWrite> PlanUpdate(const EntitySpec& entity, const FillContext& context,
                                const void* key, const ChangeList& changes);
// Plans EntityTable::Remove. The write checks `condition` and that the item exists. `words` is the
// message of the refusal if the condition is false.
// - kValidation: the key is incomplete.
Result<PlannedWrite> PlanRemove(const EntitySpec& entity, const void* key,
                                const std::optional<ConditionBuilder>& condition,
                                std::string words);
// Plans EntityTransaction::Require, which writes nothing.
// - kValidation: the key is incomplete.
Result<PlannedWrite> PlanConditionCheck(const EntitySpec& entity, const void* key,
                                        const std::optional<ConditionBuilder>& condition,
                                        std::string words);

// The parts of the functions above that plan one item, without the inverse of an edge.
Result<PlannedWrite> PlanCreateItem(const EntitySpec& entity, const FillContext& context,
                                    void* value);
Result<PlannedWrite> PlanPutItem(const EntitySpec& entity, const FillContext& context, void* value);
Result<PlannedWrite> PlanUpdateItem(const EntitySpec& entity, const FillContext& context,
                                    const void* key, const ChangeList& changes);
Result<PlannedWrite> PlanRemoveItem(const EntitySpec& entity, const void* key,
                                    const std::optional<ConditionBuilder>& condition,
                                    std::string words);

// Adds a condition to those of the write.
void AddCondition(const ConditionBuilder& condition, PlannedWrite* write);

// Returns the reason why the table rejected the write. `refusal` is the table's error. If `refusal`
// is not kConditionalCheckFailed, returns it unchanged. Otherwise derives the reason from the item
// that `refusal` contains:
// - kResourceNotFound: the write requires an item, but none exists.
// - kResourceInUse: the write requires that no item exists, but an item of the entity exists.
// - kTransactionConflict: the item has a different version, or has been removed; or a condition of
//   RetryUnless was false.
// - kCorruption: the item belongs to an entity other than the written one.
// - kConditionalCheckFailed: only a condition of the caller was false. The message is its words; or
//   a message with the key, if it has none.
Status ExplainRefusal(const PlannedWrite& write, const Status& refusal);

}  // namespace dolmen::entity

#include "dolmen/internal/show_macros.h"
