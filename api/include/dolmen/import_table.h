// The import of items into a new table (Database::ImportTable). It is much faster than putting the items, because it
// sorts them and writes each to its place in the table's files.
//
//   std::ifstream lines("messages.json");
//   const auto imported = db.ImportTable(
//       {.table = {.name = "app"}, .next_item = [&](Item* item) -> Result<bool> {
//          std::string line;
//          if (!std::getline(lines, line)) return false;
//          *item = {{"PK", line.substr(0, 8)}, {"SK", line.substr(8)}};
//          return true;
//        }});
//
// The table is TableStatus::kCreating until it is complete. After an error or a crash the table does not exist. The items
// have no change records, and no time to live deletes them before UpdateTimeToLive. As in DynamoDB, the last one of
// several items with the same key counts.
//
// An import needs the memory of about four write buffers (OpenOptions::write_buffer_bytes) and of a table file. Until it
// ends it needs three times the space of the table on disk. It waits for a Backup that runs, so it must not be called by
// the progress handler of one.

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <cstdint>
#include <functional>

#include "dolmen/attribute_value.h"
#include "dolmen/backup.h"
#include "dolmen/create_table.h"
#include "dolmen/result.h"
#include "dolmen/status.h"

namespace dolmen {

// A function that sets `item`, which is empty, to the next item to import, or returns false after the last one. An error
// ends the import. It must not throw.
using ItemSource = std::function<Result<bool>(Item* item)>;

// A function that is told why the table cannot hold the last item. Success lets the import go on without the item. An
// error ends the import. It must not throw.
using RejectedItemHandler = std::function<Status(const Status& reason)>;

struct ImportTableInput {
  CreateTableInput table = {};  // the table to create
  ItemSource next_item = {};
  // If it is not set, the first item that the table cannot hold ends the import with the reason.
  RejectedItemHandler on_rejected = {};
  // Called on the thread of the import after the last item, while the table is written.
  CopyProgressHandler progress = {};
};

struct ImportTableOutput {
  std::uint64_t items = 0;  // that the table has
  // False if the progress handler ended the import. The table does not exist then.
  bool complete = true;
};

}  // namespace dolmen

#include "dolmen/internal/show_macros.h"
