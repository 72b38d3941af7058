// The keys and key ranges of rows and index entries.

#pragma once

#include <span>
#include <string_view>

#include "dolmen/query.h"
#include "engine/key/encoded_key.h"
#include "engine/key/key_schema.h"

namespace dolmen::engine {

// Keyspace, partition key, sort key if the table has one.
EncodedKey RowKey(KeyspaceId table, const KeyBytes& key);

// Keyspace, index key, then the row's own key, so that entries with equal index keys are distinct
// and stay in the order of the table's keys.
EncodedKey IndexEntryKey(KeyspaceId index, const KeyBytes& index_key, const KeyBytes& table_key);

// The start of every key that begins with these attributes and has others behind them.
EncodedKey KeyPrefix(KeyspaceId keyspace, std::span<const std::string_view> attributes);

// A condition on a sort key's attribute, in bytes.
struct SortKeyBounds {
  SortKeyCondition::Operator op;
  std::string_view value;
  std::string_view upper = {};  // kBetween only
};

// Where the attribute stands in a key: last and raw in a row's, followed by others in an index
// entry's.
enum class SortKeyForm : std::uint8_t { kRaw, kTerminated };

// The keys that start with `prefix` and whose next attribute meets the condition.
KeyRange SortKeyRange(const EncodedKey& prefix, const SortKeyBounds& bounds, SortKeyForm form);

}  // namespace dolmen::engine
