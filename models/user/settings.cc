#include "models/user/settings.h"

namespace dolmen::user {

Result<Setting> Settings::Get(const SettingId& id) const {
  return table_.Get(Setting{.scope = id.scope, .name = id.name});
}

Result<std::vector<Setting>> Settings::List(const std::string& scope) const {
  return table_.Query<Setting>().With<&Setting::scope>(scope).All();
}

Result<Setting> Settings::Put(const Setting& setting) const { return table_.Put(setting); }

}  // namespace dolmen::user
