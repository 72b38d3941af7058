// Values that may be forgotten, and are after some seconds.

#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include "models/user/entities.h"

namespace dolmen::user {

// A handle; callable from any number of threads.
// kValidation: a name is empty, or a lifetime less than a second.
class Cache {
 public:
  explicit Cache(EntityTable table) : table_(std::move(table)) {}

  // PutItem CACHE#<name>/VALUE, in place of what is there.  It can be found for `lifetime`, and for
  // less than two seconds more, as a time to live has whole ones.
  Status Put(const std::string& name, const std::string& value,
             std::chrono::seconds lifetime) const;

  // GetItem CACHE#<name>/VALUE.
  Result<std::optional<std::string>> Find(const std::string& name) const;

  // DeleteItem CACHE#<name>/VALUE.  Success, too, if there was none.
  Status Forget(const std::string& name) const;

 private:
  EntityTable table_;
};

}  // namespace dolmen::user
