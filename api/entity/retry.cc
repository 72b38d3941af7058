#include "dolmen/entity/retry.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <thread>

namespace dolmen::entity {
namespace {

using std::chrono::milliseconds;

// Returns a random part of `longest`. Each thread has its own sequence.
milliseconds RandomPart(milliseconds longest) {
  thread_local std::minstd_rand random(
      static_cast<std::uint_fast32_t>(std::hash<std::thread::id>()(std::this_thread::get_id())));
  return milliseconds(static_cast<std::int64_t>(random() - std::minstd_rand::min()) %
                      (longest.count() + 1));
}

void Sleep(const RetryOptions& options, milliseconds pause) {
  if (options.sleep) {
    options.sleep(pause);
  } else {
    std::this_thread::sleep_for(pause);
  }
}

// Returns true if two consecutive attempts wrote the same outdated version. The message of a wrong version names the
// item and both versions.
bool WroteSameVersion(const Status& first, const Status& second) {
  return first.message() == second.message() &&
         second.message() != Status::TransactionConflict().message();
}

Status AttemptOnce(const RequestSender& sender,
                   const std::function<Status(EntityTransaction&)>& attempt) {
  EntityTransaction transaction(sender);
  Status status = attempt(transaction);
  return status.ok() ? transaction.Commit() : status;
}

}  // namespace

Status RetryTransaction(const RequestSender& sender,
                        const std::function<Status(EntityTransaction&)>& attempt,
                        const RetryOptions& options) {
  Status last;
  bool wrote_same = true;
  milliseconds longest = options.first_pause;
  for (int i = 1;; ++i) {
    Status status = AttemptOnce(sender, attempt);
    if (status.code() != StatusCode::kTransactionConflict) return status;
    wrote_same = i == 1 || (wrote_same && WroteSameVersion(last, status));
    if (i >= options.attempts_max) {
      return Status::TransactionConflict(
          "gave up after " + std::to_string(i) + " attempts" +
          (wrote_same && i > 1
               ? ", which all wrote the same outdated version, so the function must read the "
                 "entity itself: "
               : ": ") +
          status.message());
    }
    last = std::move(status);
    Sleep(options, RandomPart(longest));
    longest = std::min(2 * longest, options.pause_max);
  }
}

}  // namespace dolmen::entity
