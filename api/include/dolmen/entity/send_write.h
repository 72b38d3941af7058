// The single writes of an EntityTable: each function plans a write and sends it with what the entity's
// declaration adds (WriteGroup).
//
// The header does not show the plan of a write, so that programs need not compile it.

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <optional>
#include <string>

#include "dolmen/condition_builder.h"
#include "dolmen/entity/changes.h"
#include "dolmen/entity/request_sender.h"

namespace dolmen::entity {

// Send the write of EntityTable's function of the same name; table.h has the contracts. `value` and
// `key` point to the entity's struct. SendCreate and SendPut fill in attributes and the version of
// this struct. SendUpdate sets `*updated` to the updated entity. A null `updated` can save a read of a
// service, which returns no items of a transaction.
Status SendCreate(const RequestSender& sender, const EntitySpec& entity, void* value);
Status SendPut(const RequestSender& sender, const EntitySpec& entity, void* value);
Status SendUpdate(const RequestSender& sender, const EntitySpec& entity, const void* key,
                  const ChangeList& changes, OwnedStruct* updated);
Status SendRemove(const RequestSender& sender, const EntitySpec& entity, const void* key,
                  const std::optional<ConditionBuilder>& condition, std::string words);

}  // namespace dolmen::entity

#include "dolmen/internal/show_macros.h"
