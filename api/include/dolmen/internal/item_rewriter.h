// The part of an update that an expression cannot say. The entity layer computes it from the item.

#pragma once

#include <string>

#include "dolmen/item_view.h"
#include "dolmen/result.h"

namespace dolmen {

struct UpdateItemInput;

}  // namespace dolmen

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

  // The functions below are for a table on a service, which knows no rewriters.

  // Replaces `*request` by a request that has the same effect without a rewriter. Returns true. The new
  // condition is false for each item for which the rewriter would fail or would do something else,
  // except if a stored value has the right type and cannot be read. It can be false for other items,
  // too. If the new request asks for ALL_NEW, the caller passes that item to Updated. Returns false and
  // changes nothing if the rewriter has no such request.
  virtual bool MakePlain(UpdateItemInput* /*request*/) { return false; }

  // Receives the item that a request of MakePlain has written.
  // - kCorruption: the item cannot be read, although it was written.
  virtual Status Updated(const ItemView& /*item*/) { return {}; }
};

}  // namespace dolmen::internal
