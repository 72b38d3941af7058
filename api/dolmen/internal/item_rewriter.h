// The part of an update that an expression cannot say. The entity layer computes it from the item.

#pragma once

#include <string>

#include "dolmen/item_view.h"
#include "dolmen/result.h"

namespace dolmen::internal {

// A rewriter of the item of one UpdateItem. The engine calls both functions while the item is
// locked, before it writes. If a function fails, nothing is written. After a conflict the engine
// may call both functions again.
class ItemRewriter {
 public:
  virtual ~ItemRewriter() = default;

  // Writes the stored form of the item that condition and update shall see to `*item`, and returns
  // true. Returns false if they shall see `old`. Not called for an item that does not exist.
  virtual Result<bool> Upgrade(const ItemView& old, std::string* item) = 0;

  // Changes `*item`, the stored form of the updated item. Returns true if the bytes have changed.
  // `old` is the item before the update, after Upgrade; null if the update creates the item.
  virtual Result<bool> Finish(const ItemView* old, std::string* item) = 0;
};

}  // namespace dolmen::internal
