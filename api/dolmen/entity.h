// Entities: structs of a program, declared once as items of a single table.  From the declaration
// come keys, marshalling, checks, queries and updates.
//
//   struct Message {
//     std::string conversation_id;
//     std::string id;
//     std::string body;
//   };
//   constexpr auto DescribeEntity(const Message*) {
//     return DefineEntity<Message>("message",
//                                  {Attribute<&Message::conversation_id>("conversationId"),
//                                   Attribute<&Message::id>("messageId").IfUnset<NewUlid>(),
//                                   Attribute<&Message::body>("body")},
//                                  {PrimaryKey("CONVO#{conversationId}", "MSG#{messageId}")});
//   }
//
//   auto table = EntityTable::Open(*database, {.name = "chat"});
//   auto sent = table->Create(Message{.conversation_id = "c_01", .body = "Hello"});
//   auto newest =
//   table->Query<Message>().With<&Message::conversation_id>("c_01").Backward().Page();
//
// declare: attribute.h, codec.h, fill_functions.h, key.h, definition.h; use: table.h, query.h, changes.h,
// transaction.h, item.h.

#pragma once

#include "dolmen/entity/attribute.h"          // IWYU pragma: export
#include "dolmen/entity/changes.h"            // IWYU pragma: export
#include "dolmen/entity/codec.h"              // IWYU pragma: export
#include "dolmen/entity/collection_codecs.h"  // IWYU pragma: export
#include "dolmen/entity/definition.h"         // IWYU pragma: export
#include "dolmen/entity/fill_functions.h"     // IWYU pragma: export
#include "dolmen/entity/item.h"               // IWYU pragma: export
#include "dolmen/entity/key.h"                // IWYU pragma: export
#include "dolmen/entity/nested_struct.h"      // IWYU pragma: export
#include "dolmen/entity/query.h"              // IWYU pragma: export
#include "dolmen/entity/request_log.h"        // IWYU pragma: export
#include "dolmen/entity/table.h"              // IWYU pragma: export
#include "dolmen/entity/transaction.h"        // IWYU pragma: export
