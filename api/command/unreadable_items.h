// The items of a service that a command skips, because they are not JSON.

#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "command/command.h"
#include "dolmen/database.h"
#include "dolmen/item_view.h"
#include "engine/base/mutex.h"

namespace dolmen::command {

// A list of skipped items. Thread-safe.
class UnreadableItems {
 public:
  // Begins to skip the unreadable items of the database. `keys` are the attributes that identify an item.
  // REQUIRES: no other thread uses the database yet.
  static std::shared_ptr<const UnreadableItems> SkippedOf(const Database& database,
                                                          std::vector<std::string> keys);

  // Returns true if no item was skipped.
  bool empty() const;

  // Prints the skipped items to standard error. Returns `result`, or a failure if the command has succeeded
  // and items were skipped.
  CommandResult End(CommandResult result) const;

 private:
  explicit UnreadableItems(std::vector<std::string> keys) : keys_(std::move(keys)) {}
  void Add(const ItemView& item, const std::string& reason);

  const std::vector<std::string> keys_;
  mutable Mutex mutex_;
  // Texts such as "{PK: a}: a string has ...". A command may read an item twice.
  std::set<std::string> skipped_ DOLMEN_GUARDED_BY(mutex_);
};

}  // namespace dolmen::command
