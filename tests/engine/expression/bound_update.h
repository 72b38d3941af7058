// A helper for tests of updates. It parses the text of an update, binds it and applies it to an
// item.

#pragma once

#include <gmock/gmock.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "engine/expression/syntax/parser.h"
#include "engine/expression/update.h"
#include "tests/support/items.h"

namespace dolmen::engine {

// A bound update of a request and the objects that it borrows from.
class BoundUpdate {
 public:
  BoundUpdate(std::string_view text, Values values, Names names)
      : names_(std::move(names)), values_(std::move(values)), syntax_(ParseUpdate(text)) {
    if (!syntax_.ok()) {
      status_ = syntax_.status();
      return;
    }
    placeholders_.emplace(Placeholders::Make(names_, values_, {{ExpressionKind::kUpdate, true}}));
    status_ = placeholders_->status();
    if (!status_.ok()) return;
    update_.emplace(BindUpdate(*syntax_, **placeholders_));
    status_ = update_->status();
    if (status_.ok()) status_ = (*placeholders_)->CheckAllUsed();
  }
  BoundUpdate(const BoundUpdate&) = delete;
  BoundUpdate& operator=(const BoundUpdate&) = delete;

  // Returns the error of parsing or binding, or the error that a placeholder is not used.
  const Status& status() const { return status_; }
  // Applies the update to the item. REQUIRES: status().ok()
  Result<Item> Apply(const Item& item) const {
    const StoredItem stored = test::StoreItem(item);
    std::string bytes;
    if (Status applied = (**update_).Apply(stored.view(), &bytes); !applied.ok()) return applied;
    const Result<ItemView> changed = ItemView::Parse(bytes);
    return changed.ok() ? changed->Copy() : changed.status();
  }
  const Update& operator*() const { return **update_; }  // REQUIRES: status().ok()
  const Update* operator->() const { return &**update_; }

 private:
  Names names_;
  Values values_;
  Result<UpdateSyntax> syntax_;
  std::optional<Result<Placeholders>> placeholders_;
  std::optional<Result<Update>> update_;
  Status status_;
};

}  // namespace dolmen::engine
