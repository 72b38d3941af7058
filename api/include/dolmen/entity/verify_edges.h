// EntityTable::VerifyEdges: the directions of edges that are missing or have other values than the
// other direction.

#pragma once

#include "dolmen/internal/hide_macros.h"

#include "dolmen/entity/migrate.h"

namespace dolmen::entity {

// Does the work of EntityTable::VerifyEdges.
Result<MigrationProgress> VerifyEdges(const RequestSender& sender, const EntitySpec& edge,
                                      const MigrateOptions& options);

}  // namespace dolmen::entity

#include "dolmen/internal/show_macros.h"
