// The walk over all items of some entities, which migrations and checks of a whole table share.

#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "dolmen/entity/migrate.h"
#include "dolmen/item_view.h"

namespace dolmen::entity {

// Handles one item of a walk. `entity` is the position of its entity in the list of the walk. Returns
// true if it has written something.
// - kCorruption, kValidation, kResourceInUse: errors of the item. The walk counts them and continues.
// - Any other error ends the walk.
using ItemVisitor = std::function<Result<bool>(ItemView item, std::size_t entity)>;

// Calls `visitor` for each item of the entities in the table.
Result<MigrationProgress> WalkItems(const RequestSender& sender,
                                    const std::vector<const EntitySpec*>& entities,
                                    const ItemVisitor& visitor, const MigrateOptions& options);

}  // namespace dolmen::entity
