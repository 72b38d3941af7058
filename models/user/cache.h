// Cached values, which expire after some seconds.

#pragma once

#include "models/user/entities.h"

namespace dolmen::user {

// A handle to the cached values in the table. Thread-safe. Errors besides the database's own:
// - kValidation: a name is empty.
struct Cache {
  EntityTable table;

  // Stores a value. Replaces an earlier value of the same name. The value can be found for
  // `lifetime` and up to two seconds longer, because a time to live has whole seconds. PutItem
  // CACHE#<name>/VALUE.
  Result<CachedValue> Put(const std::string& name, const std::string& value,
                          std::chrono::seconds lifetime) const {
    return table.Put(
        CachedValue{.name = name, .value = value, .expires_at = table.Now() + lifetime});
  }

  // Returns the value; nothing if it does not exist or has expired. GetItem CACHE#<name>/VALUE.
  Result<std::optional<CachedValue>> Find(const std::string& name) const {
    return table.Find(CachedValue{.name = name});
  }

  // Deletes a value. Succeeds if the value does not exist. BatchWriteItem of one deletion.
  Status Forget(const std::string& name) const {
    return table.BatchRemove<CachedValue>({{.name = name}});
  }
};

}  // namespace dolmen::user
