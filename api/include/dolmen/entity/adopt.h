// EntityTable::AdoptUnique: claims for items that were written before their attribute was unique.

#pragma once

#include "dolmen/entity/migrate.h"

namespace dolmen::entity {

// Does the work of EntityTable::AdoptUnique.
Result<MigrationProgress> AdoptItems(const RequestSender& sender, const EntitySpec& entity,
                                     const MigrateOptions& options);

}  // namespace dolmen::entity
