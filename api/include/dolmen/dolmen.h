// The whole C++ API of Dolmen in one include, except entities (entity.h), JSON (wire.h) and
// what only tests and tools need (testing/, design/).
//
//   auto db = dolmen::Database::Open("app.dolmen");  // or InMemory()
//   if (!db.ok()) return db.status();
//   auto table = db->CreateTable({.name = "app"});  // string keys PK and SK
//   if (!table.ok()) return table.status();
//   const auto put = table->PutItem({.item = {{"PK", "USER#1"}, {"SK", "PROFILE"}, {"age", 42}}});
//   if (!put.ok()) return put.status();
//
// Headers by task:
// - Open a database: database.h, open_options.h. Connect to a service: connect_options.h.
// - Create, change and describe tables: create_table.h, update_table.h, describe_table.h,
//   list_tables.h. Expire items: time_to_live.h.
// - Read and write items: table.h, operations.h, query.h, scan.h, item_range.h. See what it costs:
//   consumed_capacity.h.
// - Read and write many items at once: batch.h, transaction.h, table_ref.h. PartiQL: statement.h.
//   Import items into a new table: import_table.h.
// - Write conditions, updates, projections: expression.h for texts; condition_builder.h,
//   key_condition_builder.h, update_builder.h and projection_builder.h for C++.
// - Build and read values: attribute_value.h, number.h, item_view.h.
// - Handle errors: status.h, result.h.
// - Read changes: subscription.h, streams.h.
// - Control time: clock.h. Make ids: ulid.h, uuid.h.
// - Watch the size of a database: stats.h. Find damage: verify.h. Repair it: repair.h.
// - Back up a database: backup.h. Back up a table: table_backup.h, point_in_time.h.
//
// Rules that hold everywhere:
// - Nothing throws, except std::bad_alloc if no memory is left (database.h). A call that can fail
//   returns a Status or a Result; its comment lists the errors.
// - Input structs have a default for every field that is not required. Fill them by name.
// - Database and Table are handles: cheap to copy, thread-safe, and they keep the database open.
// - A view (ItemView, AttributeView) borrows bytes. The method that returns it says how long it is
//   valid.
// - Macros of the program (X11, Windows, Qt) do not reach the headers, and stay as they are. Behind X11/Xlib.h, where
//   Status is int, write `#undef Status` before you name dolmen::Status. `auto` needs no name.
// - Names and messages are those of DynamoDB. A comment says where Dolmen extends DynamoDB.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.CoreComponents.html

#pragma once

#include "dolmen/attribute_value.h"        // IWYU pragma: export
#include "dolmen/backup.h"                 // IWYU pragma: export
#include "dolmen/batch.h"                  // IWYU pragma: export
#include "dolmen/clock.h"                  // IWYU pragma: export
#include "dolmen/condition_builder.h"      // IWYU pragma: export
#include "dolmen/connect_options.h"        // IWYU pragma: export
#include "dolmen/consumed_capacity.h"      // IWYU pragma: export
#include "dolmen/create_table.h"           // IWYU pragma: export
#include "dolmen/database.h"               // IWYU pragma: export
#include "dolmen/describe_table.h"         // IWYU pragma: export
#include "dolmen/expression.h"             // IWYU pragma: export
#include "dolmen/import_table.h"           // IWYU pragma: export
#include "dolmen/item_range.h"             // IWYU pragma: export
#include "dolmen/item_view.h"              // IWYU pragma: export
#include "dolmen/key_condition_builder.h"  // IWYU pragma: export
#include "dolmen/list_tables.h"            // IWYU pragma: export
#include "dolmen/number.h"                 // IWYU pragma: export
#include "dolmen/open_options.h"           // IWYU pragma: export
#include "dolmen/operations.h"             // IWYU pragma: export
#include "dolmen/point_in_time.h"          // IWYU pragma: export
#include "dolmen/projection_builder.h"     // IWYU pragma: export
#include "dolmen/query.h"                  // IWYU pragma: export
#include "dolmen/repair.h"                 // IWYU pragma: export
#include "dolmen/result.h"                 // IWYU pragma: export
#include "dolmen/scan.h"                   // IWYU pragma: export
#include "dolmen/statement.h"              // IWYU pragma: export
#include "dolmen/stats.h"                  // IWYU pragma: export
#include "dolmen/status.h"                 // IWYU pragma: export
#include "dolmen/streams.h"                // IWYU pragma: export
#include "dolmen/subscription.h"           // IWYU pragma: export
#include "dolmen/table.h"                  // IWYU pragma: export
#include "dolmen/table_backup.h"           // IWYU pragma: export
#include "dolmen/table_ref.h"              // IWYU pragma: export
#include "dolmen/time_to_live.h"           // IWYU pragma: export
#include "dolmen/transaction.h"            // IWYU pragma: export
#include "dolmen/ulid.h"                   // IWYU pragma: export
#include "dolmen/update_builder.h"         // IWYU pragma: export
#include "dolmen/update_table.h"           // IWYU pragma: export
#include "dolmen/uuid.h"                   // IWYU pragma: export
#include "dolmen/verify.h"                 // IWYU pragma: export
