// Writes of entities as requests of the API, and what their refusals mean.  Nothing here is a
// template, and nothing is sent: table.h and transaction.h do that.

#pragma once

#include <cstdint>
#include <optional>

#include "dolmen/entity/changes.h"
#include "dolmen/entity/item.h"
#include "dolmen/transact.h"

namespace dolmen::entity {

using Action = decltype(TransactWriteItem::action);

struct PlannedWrite {
  const EntitySpec* entity = nullptr;
  Action action = {};

  // What its condition asks for, besides that an item is the entity's.
  enum class Existing : std::uint8_t { kRequired, kForbidden, kAllowed };
  Existing existing = Existing::kRequired;
  std::optional<std::int64_t> version = {};  // 0: that there is no item
};

// Each fails with kValidation, naming entity and attribute.  `value` points to the entity's struct,
// which gets the values that are filled in.
Result<PlannedWrite> PlanCreate(const EntitySpec& entity, const FillContext& context, void* value);
Result<PlannedWrite> PlanPut(const EntitySpec& entity, const FillContext& context, void* value);

// Of `key` only what the primary key names is looked at.  `scratch` is another struct, as made.
Result<PlannedWrite> PlanUpdate(const EntitySpec& entity, const FillContext& context,
                                const void* key, const ChangeList& changes, void* scratch);
Result<PlannedWrite> PlanRemove(const EntitySpec& entity, const void* key,
                                const std::optional<ConditionBuilder>& condition);
Result<PlannedWrite> PlanConditionCheck(const EntitySpec& entity, const void* key,
                                        const std::optional<ConditionBuilder>& condition);

// What a write's refusal means: kResourceNotFound, kResourceInUse, kTransactionConflict if it has
// another version, kCorruption if the item is another entity's, else the refusal itself.
Status ExplainRefusal(const PlannedWrite& write, const Status& refusal);

}  // namespace dolmen::entity
