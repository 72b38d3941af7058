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
// - Open a database: database.h, open_options.h.
// - Watch its size and health, back it up, restore and repair it: health.h.
// - Create, describe and change tables, expire items: create_table.h.
// - Read and write items: table.h, operations.h, query.h. Many items at once: transaction.h.
// - Write conditions, updates, projections: expression.h for texts; condition_builder.h and
//   update_builder.h for C++.
// - Build and read values: attribute_value.h, number.h, item_view.h.
// - Handle errors: result.h.
// - Read changes: streams.h.
// - Control time and ids: clock.h.
//
// Rules that hold everywhere:
// - Nothing throws. A call that can fail returns a Status or a Result; its comment lists the
//   errors.
// - Input structs have a default for every field that is not required. Fill them by name.
// - Database and Table are handles: cheap to copy, thread-safe, and they keep the database open.
// - A view (ItemView, AttributeView) borrows bytes. The method that returns it says how long it is
//   valid.
// - Names and messages are those of DynamoDB. A comment says where Dolmen extends DynamoDB.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.CoreComponents.html

#pragma once

#include "dolmen/attribute_value.h"    // IWYU pragma: export
#include "dolmen/clock.h"              // IWYU pragma: export
#include "dolmen/condition_builder.h"  // IWYU pragma: export
#include "dolmen/create_table.h"       // IWYU pragma: export
#include "dolmen/database.h"           // IWYU pragma: export
#include "dolmen/expression.h"         // IWYU pragma: export
#include "dolmen/health.h"             // IWYU pragma: export
#include "dolmen/item_view.h"          // IWYU pragma: export
#include "dolmen/number.h"             // IWYU pragma: export
#include "dolmen/open_options.h"       // IWYU pragma: export
#include "dolmen/operations.h"         // IWYU pragma: export
#include "dolmen/query.h"              // IWYU pragma: export
#include "dolmen/result.h"             // IWYU pragma: export
#include "dolmen/streams.h"            // IWYU pragma: export
#include "dolmen/table.h"              // IWYU pragma: export
#include "dolmen/transaction.h"        // IWYU pragma: export
#include "dolmen/update_builder.h"     // IWYU pragma: export
