// Which attributes are an item's key, and what a request's key must be to fit them.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "dolmen/create_table.h"
#include "dolmen/item_view.h"
#include "dolmen/status.h"

namespace dolmen::engine {

// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
inline constexpr std::size_t kPartitionKeyBytesMax = 2048;
inline constexpr std::size_t kSortKeyBytesMax = 1024;

struct KeySchema {
  KeyAttribute partition;
  std::optional<KeyAttribute> sort = {};

  bool Has(std::string_view attribute) const {
    return attribute == partition.name || (sort && attribute == sort->name);
  }
};

// The bytes of an item's key attributes, in the order in which keys sort.  Borrowed from the item.
struct KeyBytes {
  std::string_view partition;
  std::string_view sort = {};  // empty if the schema has none
};

// The bytes by which a value sorts among values of its type.  REQUIRES: it is an S, N or B.
std::string_view SortableBytes(const AttributeValue& value);

// The key of a GetItem, UpdateItem, DeleteItem or ConditionCheck.  kValidation unless `key` is
// exactly the schema's attributes, with their types, not empty, not too long, strings in UTF-8.
Result<KeyBytes> KeyOfRequest(const KeySchema& schema, const Item& key);

// The key of an item that is to be stored; errors as above in the words of PutItem.  Other
// attributes don't matter.
Result<KeyBytes> KeyOfNewItem(const KeySchema& schema, const ItemView& item);

// The key of a stored item, or nothing if it lacks a key attribute or one has another type, in
// which case an index with this schema does not hold it.
std::optional<KeyBytes> KeyOfStoredItem(const KeySchema& schema, const ItemView& item);

// kValidation if a key attribute's bytes are more than DynamoDB takes.  An empty sort key is none.
Status CheckKeyBytes(const KeyBytes& key);

// What is said of a key attribute without any bytes.
Status EmptyKeyValue(const KeyAttribute& attribute);

}  // namespace dolmen::engine
