// Key schemas of tables and indexes, and checks of the keys of requests and items against them.
//
// Const methods and free functions may be called from any thread.

#pragma once

#include <boost/container/static_vector.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/create_table.h"
#include "dolmen/internal/lifetime.h"
#include "dolmen/item_view.h"
#include "dolmen/result.h"

namespace dolmen::engine {

// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
inline constexpr std::size_t kPartitionKeyBytesMax = 2048;  // all attributes together
inline constexpr std::size_t kSortKeyBytesMax = 1024;       // all attributes together

// The most attributes that a partition key or a sort key may have.
inline constexpr std::size_t kKeyAttributesMax = 4;

// The key attributes of a table or an index. The partition key has 1 to kKeyAttributesMax
// attributes, and the sort key has 0 to kKeyAttributesMax. In a table the partition key has 1
// attribute and the sort key at most 1.
class KeySchema {
 public:
  KeySchema(std::vector<KeyAttribute> partition, std::vector<KeyAttribute> sort);
  KeySchema(KeyAttribute partition, std::optional<KeyAttribute> sort);

  // Returns the attributes of the partition key, then those of the sort key.
  std::span<const KeyAttribute> attributes() const DOLMEN_LIFETIME_BOUND { return attributes_; }
  std::span<const KeyAttribute> partition() const DOLMEN_LIFETIME_BOUND {
    return attributes().first(partition_count_);
  }
  std::span<const KeyAttribute> sort() const DOLMEN_LIFETIME_BOUND {
    return attributes().subspan(partition_count_);
  }

  // Returns true if the attribute is part of the partition key or of the sort key.
  bool HasAttribute(std::string_view attribute) const;

 private:
  std::vector<KeyAttribute> attributes_;
  std::size_t partition_count_;
};

// The bytes of an item's key attributes, in the order of the schema. Borrowed from the item.
using KeyBytes = boost::container::static_vector<std::string_view, 2 * kKeyAttributesMax>;

// Returns true if `key` has exactly the attributes of the schema, with their types. Does not look at
// the values.
bool MatchesSchema(const KeySchema& schema, const Item& key);
// Returns true if `item` has all attributes of the schema, with their types.
bool MatchesSchema(const KeySchema& schema, const ItemView& item);

// Returns bytes that have the same order as the values of one type. The bytes are borrowed from
// the value.
// REQUIRES: the value is an S, N or B.
std::string_view SortableBytes(const AttributeValue& value);

// Returns the bytes of the key in a GetItem, UpdateItem, DeleteItem or ConditionCheck. The bytes
// are borrowed from `key`.
// REQUIRES: CheckItem(key) returns success (codec.h).
// - kValidation: the attributes of `key` are not exactly the attributes of the schema.
// - kValidation: the type of an attribute differs from the schema.
// - kValidation: an attribute is empty.
// - kValidation: the partition key or the sort key is too long.
Result<KeyBytes> KeyOfRequest(const KeySchema& schema, const Item& key);

// The operation that puts an item. The error messages for an invalid key depend on the operation.
// For kBatch the messages are those of KeyOfRequest, as in DynamoDB.
enum class PutBy : std::uint8_t { kPutItem, kBatch };

// Returns the bytes of the key attributes of an item that a request puts. The bytes are borrowed
// from `item`. Ignores attributes that are not part of the key.
// - kValidation: a key attribute is absent, or its type differs from the schema.
// - kValidation: a key attribute is empty.
// - kValidation: the partition key or the sort key is too long.
Result<KeyBytes> KeyOfNewItem(const KeySchema& schema, const ItemView& item, PutBy by);

// Returns the bytes of the key attributes of a stored item, or nothing if an index with this schema
// has no entry for the item. The bytes are borrowed from `item`. An index has no entry for an item
// if a key attribute of the index is absent, has a wrong type, is empty or is too long. An
// attribute that is present and invalid occurs only in items that were written before the index was
// added.
std::optional<KeyBytes> KeyOfStoredItem(const KeySchema& schema, const ItemView& item);

// Returns the same bytes as KeyOfStoredItem for an item whose key attributes have the values
// `values`: one for each attribute of the schema, in the schema's order. A value is absent if the
// item lacks the attribute.
std::optional<KeyBytes> KeyOfStoredValues(const KeySchema& schema,
                                          std::span<const AttributeView> values);

// Checks the lengths of the partition key and of the sort key. The last attributes of the key may
// be missing in `key`.
// - kValidation: the partition key is longer than kPartitionKeyBytesMax.
// - kValidation: the sort key is longer than kSortKeyBytesMax.
Status CheckKeySizes(const KeySchema& schema, const KeyBytes& key);

// Returns kValidation with DynamoDB's message for an empty key attribute.
Status EmptyKeyValue(const KeyAttribute& attribute);

}  // namespace dolmen::engine
