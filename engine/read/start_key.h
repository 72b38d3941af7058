// ExclusiveStartKey, the key after which a page begins, and LastEvaluatedKey, the last key that a
// page has read.

#pragma once

#include <string_view>

#include "dolmen/attribute_value.h"
#include "dolmen/item_view.h"
#include "dolmen/result.h"
#include "engine/read/read_plan.h"

namespace dolmen::engine {

// Checks the values of a start key, as far as this is possible without the table's schema.
// - kValidation: the start key has a value that DynamoDB does not allow in an item.
Status CheckStartKey(const Item& start);

// Removes from the plan's ranges all keys up to and including the start key, in the plan's
// direction. An item with the start key need not exist. An empty start key changes nothing.
// - kValidation: the start key does not consist of exactly the key attributes of the table and of
//   the index.
// - kValidation: the plan reads at most one item, so no item can follow the start key.
// - kValidation: the start key lies outside the plan's ranges or segment.
// REQUIRES: CheckStartKey(start) is ok.
Status ApplyStartKey(const Item& start, ReadPlan* plan);

// Returns the key under which the item with the start key, or its index entry, is stored.
// REQUIRES: ApplyStartKey(start, plan) has succeeded, and `start` is not empty.
EncodedKey StoredKeyOfStart(const Item& start, const ReadPlan& plan);

// A stored key in two parts, because the row cache stores the start of a key once for many rows.
// Borrows its bytes.
class StoredKey {
 public:
  StoredKey(std::string_view whole) : start_(whole) {}  // NOLINT: a whole key is a StoredKey
  StoredKey(std::string_view start, std::string_view rest) : start_(start), rest_(rest) {}

  bool Is(std::string_view key) const {
    return key.starts_with(start_) && key.substr(start_.size()) == rest_;
  }

 private:
  std::string_view start_;
  std::string_view rest_;
};

// Sets `*key` to the key of an item that the plan has read: its table key and, for an index, its
// index key. Reuses the memory of the former content of `*key`. `stored` is the key under which the
// item or its entry is stored. After an error the content of `*key` is unspecified.
// - kCorruption: the item lacks a key attribute, or is damaged.
// - kCorruption: the item has a different key than `stored`. A page that begins after this key
//   might repeat items, so that a caller would read pages without an end.
Status SetEvaluatedKey(const ReadPlan& plan, const ItemView& item, const StoredKey& stored,
                       Item* key);

}  // namespace dolmen::engine
