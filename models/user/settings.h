// Configuration: values by name, in scopes that are read as a whole.

#pragma once

#include <string>
#include <utility>
#include <vector>

#include "models/user/entities.h"

namespace dolmen::user {

struct SettingId {
  std::string scope = {};
  std::string name = {};
};

// A handle; callable from any number of threads.  Errors, besides the database's own:
//   kResourceNotFound     there is no such setting
//   kTransactionConflict  it has another version than the one that was read
//   kValidation           a scope or a name is empty, or a scope holds #
class Settings {
 public:
  explicit Settings(EntityTable table) : table_(std::move(table)) {}

  // GetItem CONFIG#<scope>/SETTING#<name>.
  Result<Setting> Get(const SettingId& id) const;

  // Query PK = CONFIG#<scope>, begins_with(SK, SETTING#).  In order of the names.
  Result<std::vector<Setting>> List(const std::string& scope) const;

  // PutItem CONFIG#<scope>/SETTING#<name> in place of the version that the setting has; with
  // version 0, of nothing.  Returns it with its new version.
  Result<Setting> Put(const Setting& setting) const;

 private:
  EntityTable table_;
};

}  // namespace dolmen::user
