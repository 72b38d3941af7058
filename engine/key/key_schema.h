// Which attributes are an item's key, and what a request's key must be to fit them.

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
inline constexpr std::size_t kPartitionKeyBytesMax = 2048;
inline constexpr std::size_t kSortKeyBytesMax = 1024;

// Of each of the two keys.
inline constexpr std::size_t kKeyAttributesMax = 4;

// A partition key of one to kKeyAttributesMax attributes, and a sort key of none to as many.  More
// than one of either is for indexes.
class KeySchema {
 public:
  KeySchema(std::vector<KeyAttribute> partition, std::vector<KeyAttribute> sort);
  KeySchema(KeyAttribute partition, std::optional<KeyAttribute> sort);

  // The partition key's, then the sort key's.
  std::span<const KeyAttribute> attributes() const DOLMEN_LIFETIME_BOUND { return attributes_; }
  std::span<const KeyAttribute> partition() const DOLMEN_LIFETIME_BOUND {
    return attributes().first(partition_count_);
  }
  std::span<const KeyAttribute> sort() const DOLMEN_LIFETIME_BOUND {
    return attributes().subspan(partition_count_);
  }
  bool Has(std::string_view attribute) const;

 private:
  std::vector<KeyAttribute> attributes_;
  std::size_t partition_count_;
};

// The bytes of an item's key attributes, in the schema's order.  Borrowed from the item.
using KeyBytes = boost::container::static_vector<std::string_view, 2 * kKeyAttributesMax>;

// The bytes by which a value sorts among values of its type.  REQUIRES: it is an S, N or B.
std::string_view SortableBytes(const AttributeValue& value);

// The key of a GetItem, UpdateItem, DeleteItem or ConditionCheck.  kValidation unless `key` is
// exactly the schema's attributes, with their types, not empty, not too long.
// REQUIRES: CheckItem(key) is ok (codec.h)
Result<KeyBytes> KeyOfRequest(const KeySchema& schema, const Item& key);

// What puts an item.  In a batch DynamoDB says of its key what it says of any other key.
enum class PutBy : std::uint8_t { kPutItem, kBatch };

// The key of an item that is to be stored; errors as above, of a PutItem in words of its own.
// Other attributes don't matter.
Result<KeyBytes> KeyOfNewItem(const KeySchema& schema, const ItemView& item, PutBy by);

// The key of a stored item, or nothing if an index with this schema does not hold it: it lacks a
// key attribute, or has one, from before there was the index, of another type, empty or too long.
std::optional<KeyBytes> KeyOfStoredItem(const KeySchema& schema, const ItemView& item);

// kValidation if the partition key or the sort key has more bytes than DynamoDB takes.  `key` may
// lack attributes at its end.
Status CheckKeyBytes(const KeySchema& schema, const KeyBytes& key);

// What is said of a key attribute without any bytes.
Status EmptyKeyValue(const KeyAttribute& attribute);

}  // namespace dolmen::engine
