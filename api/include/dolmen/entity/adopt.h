// EntityTable::AdoptUnique: claims for items that were written before their attribute was unique.

#pragma once

#include "dolmen/internal/hide_macros.h"

#include "dolmen/entity/migrate.h"

namespace dolmen::entity {

// Does the work of EntityTable::AdoptUnique.
Result<MigrationProgress> AdoptItems(const RequestSender& sender, const EntitySpec& entity,
                                     const MigrateOptions& options);

}  // namespace dolmen::entity

#include "dolmen/internal/show_macros.h"
