// The loop that repeats a transaction after a conflict (EntityTable::Retry).

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <chrono>
#include <functional>

#include "dolmen/entity/transaction.h"

namespace dolmen {

// The bounds of EntityTable::Retry: the number of attempts, and the pauses between them.
struct RetryOptions {
  // The greatest number of attempts, at least 1.
  int attempts_max = 10;

  // The greatest pause after the first attempt. Each further pause can be twice as long, up to
  // pause_max. A pause is a random part of its greatest length, so that writers that conflicted do
  // not meet again.
  std::chrono::milliseconds first_pause = std::chrono::milliseconds(2);
  std::chrono::milliseconds pause_max = std::chrono::milliseconds(200);

  // Waits between two attempts. Empty: the calling thread sleeps.
  std::function<void(std::chrono::milliseconds)> sleep = {};
};

namespace entity {

// Implements EntityTable::Retry.
Status RetryTransaction(const RequestSender& sender,
                        const std::function<Status(EntityTransaction&)>& attempt,
                        const RetryOptions& options);

}  // namespace entity

}  // namespace dolmen

#include "dolmen/internal/show_macros.h"
