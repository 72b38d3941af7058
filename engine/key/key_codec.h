// The keys and key ranges of rows and index entries.

#pragma once

#include "dolmen/query.h"
#include "engine/key/encoded_key.h"
#include "engine/key/key_schema.h"

namespace dolmen::engine {

// Keyspace, partition key, sort key if the table has one.
EncodedKey RowKey(KeyspaceId table, const KeySchema& schema, const KeyBytes& key);

// Keyspace, index key, then the row's own key, so that entries with equal index keys are distinct
// and stay in the order of the table's keys.
EncodedKey IndexEntryKey(KeyspaceId index, const KeySchema& index_schema, const KeyBytes& index_key,
                         const KeySchema& table_schema, const KeyBytes& table_key);

// A condition on the sort key, in bytes.
struct SortKeyBounds {
  SortKeyCondition::Operator op;
  std::string_view value;
  std::string_view upper = {};  // kBetween only
};

// Where a sort key stands in a key: last and raw in a row's, followed by others in an index
// entry's.
enum class SortKeyForm : std::uint8_t { kRaw, kTerminated };

// The keys of one partition, or of those of its items that meet the condition on the sort key.
KeyRange PartitionRange(KeyspaceId keyspace, std::string_view partition);
KeyRange PartitionRange(KeyspaceId keyspace, std::string_view partition,
                        const SortKeyBounds& bounds, SortKeyForm form);

}  // namespace dolmen::engine
