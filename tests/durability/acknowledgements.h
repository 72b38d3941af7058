// What a process that is killed has said was done.

#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "tests/support/child_process.h"

namespace dolmen::test {

// How often a test kills, and after how many numbers at the latest.
inline constexpr int kRounds = 50;
inline constexpr std::size_t kAcknowledgementsMax = 120;

// Kills the child when it has said `count` numbers, one a line.  Returns the last one that it said,
// which may be a later one; nothing if there was none.
inline std::optional<std::uint64_t> KillAfter(std::size_t count, ChildProcess* child) {
  std::optional<std::uint64_t> last;
  const auto read = [&] {
    const std::optional<std::string> line = child->ReadLine();
    if (line) last = std::stoull(*line);
    return line.has_value();
  };
  for (std::size_t i = 0; i < count; ++i) {
    if (read()) continue;
    ADD_FAILURE() << "the child gave up with exit code " << child->Finish();
    return last;
  }
  child->Kill();
  while (read()) {  // what it said before
  }
  return last;
}

}  // namespace dolmen::test
