// Changes of whole attributes in the stored form of an item. The other attributes are neither
// decoded nor encoded: their bytes are copied.

#pragma once

#include <span>
#include <string>
#include <string_view>

#include "dolmen/item_view.h"
#include "dolmen/result.h"

namespace dolmen::engine {

// A change of one top-level attribute. Borrows the name and the value.
struct AttributeChange {
  std::string_view name;
  AttributeView value;  // the new value; absent if the change removes the attribute
};

// Appends to `*out` the stored form of the item that results when the changes are applied to
// `item`. The bytes are those that EncodeItem writes for the resulting item (codec.h). A change may
// remove an attribute that the item lacks. On an error `*out` is unchanged. The caller checks the
// limits of the new item. Thread-safe; the caller owns the output.
// - kCorruption: the names or lengths of the item's attributes are damaged. Damage within a value
//   is not found.
// REQUIRES: the names of `changes` are in ascending byte order, and no name occurs twice. The names
// and values are valid in a stored item.
Status PatchItem(const ItemView& item, std::span<const AttributeChange> changes, std::string* out);

}  // namespace dolmen::engine
