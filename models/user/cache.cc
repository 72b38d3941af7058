#include "models/user/cache.h"

namespace dolmen::user {

Status Cache::Put(const std::string& name, const std::string& value,
                  std::chrono::seconds lifetime) const {
  constexpr std::chrono::seconds kLifetimeMax = std::chrono::years(100);
  if (lifetime < std::chrono::seconds(1) || lifetime > kLifetimeMax) {
    return Status::Validation("a cached value's lifetime must be from 1 second to 100 years");
  }
  return table_
      .Put(CachedValue{.name = name, .value = value, .expires_at = table_.Now() + lifetime})
      .status();
}

Result<std::optional<std::string>> Cache::Find(const std::string& name) const {
  Result<std::optional<CachedValue>> found = table_.Find(CachedValue{.name = name});
  if (!found.ok()) return found.status();
  if (!*found) return std::optional<std::string>();
  return std::optional<std::string>(std::move((*found)->value));
}

Status Cache::Forget(const std::string& name) const {
  Status removed = table_.Remove(CachedValue{.name = name});
  return removed.code() == StatusCode::kResourceNotFound ? Status() : removed;
}

}  // namespace dolmen::user
