// Cached values, which expire after some seconds.

#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include "models/user/entities.h"

namespace dolmen::user {

// A handle to the cached values in the table. Thread-safe. Errors besides the database's own:
// - kValidation: a name is empty, or a lifetime is less than a second or more than 100 years.
class Cache {
 public:
  explicit Cache(EntityTable table) : table_(std::move(table)) {}

  // Stores a value. Replaces an earlier value of the same name. The value can be found for
  // `lifetime` and up to two seconds longer, because a time to live has whole seconds. PutItem
  // CACHE#<name>/VALUE.
  Status Put(const std::string& name, const std::string& value,
             std::chrono::seconds lifetime) const;

  // Returns the value; nothing if it does not exist or has expired. GetItem CACHE#<name>/VALUE.
  Result<std::optional<std::string>> Find(const std::string& name) const;

  // Deletes a value. Succeeds if the value does not exist. DeleteItem CACHE#<name>/VALUE.
  Status Forget(const std::string& name) const;

 private:
  EntityTable table_;
};

}  // namespace dolmen::user
