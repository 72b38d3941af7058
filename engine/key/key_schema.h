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
#include "dolmen/item_view.h"
#include "dolmen/lifetime.h"
#include "dolmen/result.h"

namespace dolmen::engine {

// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
inline constexpr std::size_t kPartitionKeyBytesMax = 2048;  // all attributes together
inline constexpr std::size_t kSortKeyBytesMax = 1024;       // all attributes together

// The most attributes that a partition key or a sort key may have.
inline constexpr std::size_t kKeyAttributesMax = 4;

// The key attributes of a table or an index.  The partition key has 1 to kKeyAttributesMax
// attributes, the sort key 0 to kKeyAttributesMax.  In a table each has at most 1.
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

// The bytes of an item's key attributes, in the schema's order.  The bytes are borrowed from the
// item.
using KeyBytes = boost::container::static_vector<std::string_view, 2 * kKeyAttributesMax>;

// Returns the bytes by which a value sorts among the values of its type.  Borrowed from the value.
// REQUIRES: the value is an S, N or B.
std::string_view SortableBytes(const AttributeValue& value);

// Returns the key of a GetItem, UpdateItem, DeleteItem or ConditionCheck.  Borrowed from `key`.
// REQUIRES: CheckItem(key) returns success (codec.h).
// - kValidation: `key` is not exactly the schema's attributes.
// - kValidation: an attribute has another type than in the schema.
// - kValidation: an attribute is empty.
// - kValidation: the partition key or the sort key is too long.
Result<KeyBytes> KeyOfRequest(const KeySchema& schema, const Item& key);

// The operation that puts an item.  It decides which messages the errors of the item's key have: in
// a batch DynamoDB uses the messages of KeyOfRequest.
enum class PutBy : std::uint8_t { kPutItem, kBatch };

// Returns the key of an item that a request puts.  Borrowed from `item`.  Ignores attributes that
// are not part of the key.
// - kValidation: a key attribute is absent or has another type than in the schema.
// - kValidation: a key attribute is empty.
// - kValidation: the partition key or the sort key is too long.
Result<KeyBytes> KeyOfNewItem(const KeySchema& schema, const ItemView& item, PutBy by);

// Returns the key of a stored item, or nothing if an index with this schema has no entry for it.
// Borrowed from `item`.  An item has no entry if a key attribute is absent, has another type, is
// empty or is too long.  The last three occur in items that are older than the index.
std::optional<KeyBytes> KeyOfStoredItem(const KeySchema& schema, const ItemView& item);

// Checks the lengths of the partition key and the sort key.  `key` may lack attributes at its end.
// - kValidation: the partition key is longer than kPartitionKeyBytesMax.
// - kValidation: the sort key is longer than kSortKeyBytesMax.
Status CheckKeyBytes(const KeySchema& schema, const KeyBytes& key);

// Returns kValidation with DynamoDB's message for an empty key attribute.
Status EmptyKeyValue(const KeyAttribute& attribute);

}  // namespace dolmen::engine
