// The catalog as the store holds it: the tables' schemas, the number of the next keyspace, and the
// keyspaces to purge. engine/storage/FORMAT.md describes the bytes.

#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string_view>
#include <vector>

#include "dolmen/result.h"
#include "engine/key/encoded_key.h"
#include "engine/schema/table_schema.h"
#include "engine/storage/store.h"

namespace dolmen::engine {

// Returns the least keyspace number that was never reserved for a table, an index or a stream.
// - kCorruption: the stored number is damaged.
Result<std::uint32_t> ReadNextKeyspace(const Store& store);

// Adds to `batch` the reservation of `count` keyspaces, the first of which is `next`. Returns the
// number that follows the reserved ones. The reservation takes effect when the batch is written.
// - kValidation: the database has no keyspace numbers left.
Result<std::uint32_t> ReserveKeyspaces(std::uint32_t next, std::size_t count, WriteBatch* batch);

// Returns the schemas of all tables in the order of their names, with annotations. The deleted
// tables whose streams are kept follow, in the order of their keyspaces.
// - kCorruption: an entry is damaged or is stored under another table's name.
// - kUnsupportedFormat: a newer release wrote an entry.
Result<std::vector<TableSchema>> ReadSchemas(const Store& store);

// Returns the schema in the entry of the catalog for the table `name`.
// - kCorruption: the entry is damaged or describes another table.
// - kUnsupportedFormat: a newer release wrote the entry.
Result<TableSchema> ParseSchema(std::string_view name, std::string_view entry);

// Returns the schema in the entry of a deleted table.
// - kCorruption: the entry is damaged.
// - kUnsupportedFormat: a newer release wrote the entry.
Result<TableSchema> ParseDeletedSchema(std::string_view entry);

// Adds to `batch` the table's entry. The entry replaces the table's former entry. The entries of
// tables are in the catalog, and those of deleted tables are in keyspace kMeta, because a deleted
// table shares its name with later tables.
// - kValidation: the annotations cannot be stored.
Status PutSchema(const TableSchema& schema, WriteBatch* batch);
// Adds to `batch` the deletion of the entry of a table, or of a deleted table.
void DeleteSchema(const TableSchema& schema, WriteBatch* batch);
// Adds to `batch` a mark for each of the keyspaces. PurgeDroppedKeyspaces purges the marked
// keyspaces.
void PutDropped(std::span<const KeyspaceId> keyspaces, WriteBatch* batch);

// Adds to `batch` the deletion of the marks.
void DeleteDropped(std::span<const KeyspaceId> keyspaces, WriteBatch* batch);

// Deletes all keys of a dropped keyspace, and all records about the keyspace: the positions of
// subscriptions, the backfill mark, the trim mark and the drop mark. Does not wait for the disk.
// REQUIRES: no reader and no writer uses the keyspace.
Status PurgeKeyspace(Store* store, KeyspaceId keyspace);
// Purges the keyspaces, which are marked as dropped. Ignores errors, because PurgeDroppedKeyspaces
// repeats the purge when the database opens again.
// REQUIRES: no reader and no writer uses the keyspaces.
void PurgeKeyspaces(Store* store, std::span<const KeyspaceId> keyspaces);

// Purges every keyspace that is marked as dropped. Purges nothing if the store cannot be written.
// - kCorruption: a mark is damaged, or marks a keyspace that is in `in_use`.
Status PurgeDroppedKeyspaces(Store* store, const std::set<KeyspaceId>& in_use);

// Returns the key in keyspace kMeta under which the backfill of `index` stores its position. The
// position is the key of the last row whose entry is built.
EncodedKey BackfillKey(KeyspaceId index);

// Return the key of the number of the next keyspace, and the prefixes of the keys of dropped
// keyspaces, of backfills and of deleted tables.
EncodedKey NextKeyspaceKey();
EncodedKey DroppedPrefix();
EncodedKey BackfillPrefix();
EncodedKey DeletedTablePrefix();

}  // namespace dolmen::engine
