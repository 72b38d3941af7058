#include "models/user/user.h"

namespace dolmen::user {

Result<UserStore> UserStore::Open(const Database& database, const RequestObserver& observer) {
  return EntityTable::Open(database, {.name = "user",
                                      .indexes = {"GSI1", "GSI2"},
                                      .time_to_live = std::string(kTimeToLive),
                                      .observer = observer})
      .transform([](const EntityTable& opened) { return UserStore{opened}; });
}

}  // namespace dolmen::user
