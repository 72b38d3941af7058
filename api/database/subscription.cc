#include "dolmen/subscription.h"

#include <memory>
#include <utility>

#include "engine/backend.h"

namespace dolmen {

Subscription::Subscription(std::unique_ptr<internal::Subscriber> subscriber)
    : subscriber_(internal::ShareInOwnProcess(std::move(subscriber))) {}
Subscription::Subscription(Subscription&&) noexcept = default;
Subscription& Subscription::operator=(Subscription&&) noexcept = default;
Subscription::~Subscription() = default;

Result<std::size_t> Subscription::Deliver() {
  if (!subscriber_->IsInOwnProcess()) return internal::RefusedAfterFork();
  return subscriber_->Deliver();
}

Status Subscription::Seek(const StreamPosition& position) {
  if (!subscriber_->IsInOwnProcess()) return internal::RefusedAfterFork();
  return subscriber_->Seek(position);
}

std::string Subscription::sequence_number() const {
  return subscriber_->IsInOwnProcess() ? subscriber_->sequence_number() : "";
}

Status Subscription::status() const {
  return subscriber_->IsInOwnProcess() ? subscriber_->status() : internal::RefusedAfterFork();
}

}  // namespace dolmen
