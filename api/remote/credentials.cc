#include "remote/credentials.h"

#include <utility>

namespace dolmen::remote {
namespace {

constexpr std::chrono::minutes kRefreshBefore(5);
constexpr std::chrono::minutes kPauseOfFetches(1);

}  // namespace

bool CredentialCache::IsUsable(Timestamp now) const {
  return current_ != nullptr && (!current_->expires || now < *current_->expires);
}

bool CredentialCache::IsDue(Timestamp now) const {
  return current_->expires && now >= *current_->expires - kRefreshBefore && now >= next_fetch_;
}

Result<std::shared_ptr<const Credentials>> CredentialCache::Get(Timestamp now) {
  {
    const MutexLock lock(mutex_);
    bool has_waited = false;
    for (;;) {
      if (IsUsable(now) && (fetching_ || !IsDue(now))) return current_;
      if (!fetching_ && has_waited && !error_.ok()) return error_;
      if (!fetching_) break;
      fetched_.Wait(mutex_);
      has_waited = true;
    }
    fetching_ = true;
  }
  return Fetch(now);
}

Result<std::shared_ptr<const Credentials>> CredentialCache::Fetch(Timestamp now) {
  Result<Credentials> fetched = source_();
  const MutexLock lock(mutex_);
  fetching_ = false;
  fetched_.NotifyAll();
  next_fetch_ = now + kPauseOfFetches;
  error_ = fetched.status();
  if (fetched.ok()) current_ = std::make_shared<const Credentials>(*std::move(fetched));
  if (!error_.ok() && !IsUsable(now)) return error_;
  return current_;
}

bool CredentialCache::Drop(const std::shared_ptr<const Credentials>& rejected) {
  if (!rejected->expires) return false;
  const MutexLock lock(mutex_);
  if (current_ == rejected) current_ = nullptr;
  return true;
}

}  // namespace dolmen::remote
