// Migrations: walks over a table that change items of one entity.
//
//   table.Reindex<Room>();
//   table.Migrate<Room>([](Room& room) { room.price *= 100; });
//
// A migration may run while other threads and programs read and write. It reads pages of items, and
// rewrites each item that changes in one atomic step. The step takes the item as it is at that
// moment, so it never overwrites a newer write. Items that stay the same are not written.
//
// A migration does not change primary keys, because older versions of the program would no longer
// find the items. To move an entity to another key, create the new one and remove the old one in a
// transaction.

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "dolmen/entity/entity_spec.h"
#include "dolmen/entity/request_sender.h"
#include "dolmen/result.h"

namespace dolmen {

// The state of a migration.
struct MigrationProgress {
  std::uint64_t items_read = 0;     // items of the entity
  std::uint64_t items_written = 0;  // items that the migration has changed

  // The number of items that the migration could not rewrite, and the errors of the first 100 of
  // them. Each error names the key of its item. These items are unchanged.
  std::uint64_t items_failed = 0;
  std::vector<Status> failures = {};

  // The position of the migration, for MigrateOptions::from. "" if the migration has ended.
  std::string cursor = {};
};

// Options of a migration.
struct MigrateOptions {
  // The cursor at which an interrupted migration resumes (MigrationProgress::cursor). "": the start.
  std::string from = {};

  // The greatest share of the time in which the migration works, from 0.01 to 1. It sleeps for the
  // rest, so that writers keep their speed.
  double share = 0.5;

  // A function that is called after each page of items. To survive a crash, store the cursor. An
  // error stops the migration. Empty: none.
  std::function<Status(const MigrationProgress&)> on_progress = {};
};

namespace entity {

// Does the work of EntityTable::Migrate and Reindex. `change` gets a pointer to the struct of the
// entity; empty for Reindex.
Result<MigrationProgress> MigrateItems(const RequestSender& sender, const EntitySpec& entity,
                                       const std::function<void(void*)>& change,
                                       const MigrateOptions& options);

}  // namespace entity

}  // namespace dolmen

#include "dolmen/internal/show_macros.h"
