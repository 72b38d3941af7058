// Encoders of keys and key ranges, for rows and for index entries. The functions are pure.

#pragma once

#include <span>
#include <string_view>

#include "dolmen/query.h"
#include "engine/key/encoded_key.h"
#include "engine/key/key_schema.h"

namespace dolmen::engine {

// Returns the key of a row: the keyspace of the table, the partition key, and the sort key if the
// table has one.
// REQUIRES: `key` is the key of a row, with one or two attributes.
EncodedKey RowKey(KeyspaceId table, const KeyBytes& key);

// Returns the key of an index entry: the keyspace of the index, the index key, then the table key
// of the item. Entries with equal index keys are therefore distinct and sorted by their table
// keys.
EncodedKey IndexEntryKey(KeyspaceId index, const KeyBytes& index_key, const KeyBytes& table_key);
// Returns the same key. Takes the table key of the item from `row`, the key of the item's row.
EncodedKey IndexEntryKey(KeyspaceId index, const KeyBytes& index_key, const EncodedKey& row);

// Returns the prefix of all keys that begin with these attributes and have further attributes.
EncodedKey KeyPrefix(KeyspaceId keyspace, std::span<const std::string_view> attributes);

// A condition on one attribute of a sort key. The values are encoded bytes of the attribute; the
// caller owns these bytes.
struct SortKeyBounds {
  SortKeyCondition::Operator op;
  std::string_view value;
  std::string_view upper = {};  // kBetween only: the inclusive upper bound
};

// The form of an attribute in a key.
// - kRaw: the attribute is the last one. Used in the key of a row.
// - kTerminated: other attributes follow the attribute. Used in the key of an index entry.
enum class SortKeyForm : std::uint8_t { kRaw, kTerminated };

// Returns the range of keys that start with `prefix` and whose next attribute after the prefix
// fulfils `bounds`.
KeyRange SortKeyRange(const EncodedKey& prefix, const SortKeyBounds& bounds, SortKeyForm form);

}  // namespace dolmen::engine
