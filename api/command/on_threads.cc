#include "command/on_threads.h"

#include <algorithm>
#include <system_error>
#include <thread>
#include <vector>

namespace dolmen::command {

Status OnThreads(std::size_t count, const std::function<Status(std::size_t)>& work) {
  if (count == 1) return work(0);
  std::vector<Status> outcomes(count);
  std::vector<std::thread> threads;
  threads.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto call = [&outcomes, &work, i] { outcomes[i] = work(i); };
    try {
      threads.emplace_back(call);
    } catch (const std::system_error&) {
      call();
    }
  }
  for (std::thread& thread : threads) thread.join();
  const auto failed =
      std::ranges::find_if(outcomes, [](const Status& outcome) { return !outcome.ok(); });
  return failed == outcomes.end() ? Status() : *failed;
}

}  // namespace dolmen::command
