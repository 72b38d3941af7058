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

struct Write {
  const EntitySpec* entity = nullptr;
  Action action = {};

  // What its condition asks for, besides that an item is the entity's.
  enum class Expects : std::uint8_t { kItem, kNone, kEither };
  Expects expects = Expects::kItem;
  std::optional<std::int64_t> version = {};  // 0: that there is no item
};

// Each fails with kValidation, naming entity and attribute.  `value` points to the entity's struct,
// which gets the values that are filled in.
Result<Write> PlanCreate(const EntitySpec& entity, const FillContext& context, void* value);
Result<Write> PlanPut(const EntitySpec& entity, const FillContext& context, void* value);

// Of `key` only what the primary key names is looked at.  `scratch` is another struct, as made.
Result<Write> PlanUpdate(const EntitySpec& entity, const FillContext& context, const void* key,
                         const ChangeList& changes, void* scratch);
Result<Write> PlanRemove(const EntitySpec& entity, const void* key,
                         const std::optional<ConditionBuilder>& condition);
Result<Write> PlanCheck(const EntitySpec& entity, const void* key,
                        const std::optional<ConditionBuilder>& condition);

// What a write's refusal means: kResourceNotFound, kResourceInUse, kTransactionConflict if it has
// another version, kCorruption if the item is another entity's, else the refusal itself.
Status Explain(const Write& write, const Status& refusal);

}  // namespace dolmen::entity
