// The entity layer: structs of a program, each declared once as an entity of a single-table design.
// The layer derives keys, items, checks, queries and updates from the declaration.
//
// Include this header to use the whole layer. A minimal example, from declaration to query:
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
//       table->Query<Message>().With<&Message::conversation_id>("c_01").Backward().Page();
//
// Headers that declare an entity:
// - definition.h: DefineEntity and DescribeEntity, which join the parts below.
// - attribute.h: the attributes and their rules (required, read-only, filled, version).
// - codec.h, time_codecs.h, collection_codecs.h: the C++ types that an attribute can have.
// - nested_struct.h: structs that are stored as a map inside an entity.
// - fill_functions.h: functions that supply values, for example the time of a write.
// - key.h: key templates.
// - table_check.h: CheckTable, which finds entities that cannot share a table.
//
// Headers that use an entity:
// - table.h: EntityTable, which reads and writes entities.
// - query.h: queries.
// - scan.h: scans of a whole table.
// - page.h: the pages of queries and scans.
// - changes.h: the changes of an update, and conditions on attributes.
// - update.h: updates that name their entity once.
// - remove_all.h: deleting everything that queries find.
// - migrate.h: rewriting all items of an entity.
// - subscribe.h: the changes of an entity.
// - transaction.h: several writes that succeed or fail together.
// - retry.h: how EntityTable::Retry repeats a transaction.
//
// Headers that this header does not include:
// - sharded.h: keys that are spread over shards.
// - counter.h: counters that many writers increase at the same time.
// - idempotent.h: transactions that take effect once.
// - cost_meter.h: the cost of access patterns, in units and in money.
// - token.h: secrets that can be used once.
// - lint.h: advice about the keys of a table, for a test.
//
// Headers for special cases:
// - lint.h: advice about the keys of a table, for a test. This header does not include it.
// - describe.h: the design of a table as Markdown and as a picture. This header does not include it.
// - item.h: conversion between an entity and an item that does not come from an EntityTable.
// - request_log.h: a log of the requests that a table sent, and of their cost.
//
// A remote database (Database::Connect) needs TransactWriteItems of its service for the following writes. A
// service such as ScyllaDB's Alternator does not have this operation. There these writes fail with
// kUnknownOperation and change nothing; all other writes of one entity work.
// - EntityTable::Transact and Retry, and so CommitOnce and a Counter's addition in a transaction.
// - Create, Put and Remove of an entity with Unique, and Update of the unique attribute, unless the
//   attribute has no value before and after the write. Also EntityTable::AdoptUnique.
// - Every write of an entity with Edge that changes both directions.
// EntityTable::TransactGet and VerifyEdges need TransactGetItems.
//
// Most updates of an entity are one request (api/remote/README.md). After the error kCorruption the update of
// a damaged item can nevertheless be stored; the message then says so.
//
// Every other header of the folder is an implementation detail. Names in the namespace
// dolmen::entity may change with any release, except for PartKind, WrongType and NotAnInteger,
// which a program's own codec uses.
//
// No function of the layer throws (result.h). A function that can fail returns a Status or a Result.

#pragma once

#include "dolmen/entity/attribute.h"          // IWYU pragma: export
#include "dolmen/entity/changes.h"            // IWYU pragma: export
#include "dolmen/entity/codec.h"              // IWYU pragma: export
#include "dolmen/entity/collection_codecs.h"  // IWYU pragma: export
#include "dolmen/entity/definition.h"         // IWYU pragma: export
#include "dolmen/entity/fill_functions.h"     // IWYU pragma: export
#include "dolmen/entity/item.h"               // IWYU pragma: export
#include "dolmen/entity/key.h"                // IWYU pragma: export
#include "dolmen/entity/migrate.h"            // IWYU pragma: export
#include "dolmen/entity/nested_struct.h"      // IWYU pragma: export
#include "dolmen/entity/page.h"               // IWYU pragma: export
#include "dolmen/entity/query.h"              // IWYU pragma: export
#include "dolmen/entity/remove_all.h"         // IWYU pragma: export
#include "dolmen/entity/request_log.h"        // IWYU pragma: export
#include "dolmen/entity/scan.h"               // IWYU pragma: export
#include "dolmen/entity/subscribe.h"          // IWYU pragma: export
#include "dolmen/entity/table.h"              // IWYU pragma: export
#include "dolmen/entity/table_check.h"        // IWYU pragma: export
#include "dolmen/entity/time_codecs.h"        // IWYU pragma: export
#include "dolmen/entity/transaction.h"        // IWYU pragma: export
#include "dolmen/entity/update.h"             // IWYU pragma: export
