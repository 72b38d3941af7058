// Settings: named values in scopes. A scope is read as a whole.

#pragma once

#include "models/user/entities.h"

namespace dolmen::user {

// A handle to the settings in the table. Thread-safe. Errors besides the database's own:
// - kResourceNotFound: the setting does not exist.
// - kTransactionConflict: the setting no longer has the version that the caller has read.
// - kValidation: a scope or a name is empty, or a scope holds a '#'.
struct Settings {
  EntityTable table;

  // Returns the setting with the scope and name of `key`. GetItem CONFIG#<scope>/SETTING#<name>.
  Result<Setting> Get(const Setting& key) const { return table.Get(key); }

  // Returns a scope's settings, in order of their names. Query PK = CONFIG#<scope>,
  // begins_with(SK, SETTING#).
  Result<std::vector<Setting>> List(const std::string& scope) const {
    return table.Query<Setting>().With<&Setting::scope>(scope).All();
  }

  // Replaces a setting if it still has the version that the caller has read. Version 0 creates the
  // setting. Returns the setting with its new version. PutItem CONFIG#<scope>/SETTING#<name> with a
  // condition on the version.
  Result<Setting> Put(const Setting& setting) const { return table.Put(setting); }
};

}  // namespace dolmen::user
