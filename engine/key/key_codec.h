// Encoders of the keys, and key ranges, of rows and index entries.  The functions are pure.

#pragma once

#include <span>
#include <string_view>

#include "dolmen/query.h"
#include "engine/key/encoded_key.h"
#include "engine/key/key_schema.h"

namespace dolmen::engine {

// Returns the key of a row: its keyspace, its partition key, and its sort key if the table has one.
// REQUIRES: `key` is the key of a table, which has one or two attributes.
EncodedKey RowKey(KeyspaceId table, const KeyBytes& key);

// Returns the key of an index entry: its keyspace, its index key, then the key of its row.  Entries
// with equal index keys are therefore distinct and sorted by the keys of their rows.
EncodedKey IndexEntryKey(KeyspaceId index, const KeyBytes& index_key, const KeyBytes& table_key);

// Returns the prefix of all keys that begin with these attributes and have more after them.
EncodedKey KeyPrefix(KeyspaceId keyspace, std::span<const std::string_view> attributes);

// A condition on one attribute of a sort key.  The values are the attribute's encoded bytes, and
// are borrowed.
struct SortKeyBounds {
  SortKeyCondition::Operator op;
  std::string_view value;
  std::string_view upper = {};  // kBetween only: the inclusive upper bound
};

// The form of the attribute in a key.
// - kRaw: the last attribute, in the key of a row.
// - kTerminated: an attribute that others follow, in the key of an index entry.
enum class SortKeyForm : std::uint8_t { kRaw, kTerminated };

// Returns the range of the keys that start with `prefix` and whose next attribute fulfils `bounds`.
KeyRange SortKeyRange(const EncodedKey& prefix, const SortKeyBounds& bounds, SortKeyForm form);

}  // namespace dolmen::engine
