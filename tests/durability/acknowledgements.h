// Kills a child process and reads the acknowledgements that the child sent before the kill.

#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "tests/support/child_process.h"

namespace dolmen::test {

// kRounds is the number of kills in a test. kAcknowledgementsMax is the greatest number of
// acknowledgements that a test waits for before a kill.
inline constexpr int kRounds = 50;
inline constexpr std::size_t kAcknowledgementsMax = 120;

// Kills the child after it has sent `count` numbers, one per line. Returns the last number that the
// child sent. The child may have sent more than `count` numbers before it was killed. Returns
// nothing if the child sent none.
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
  while (read()) {  // lines that it sent before the kill
  }
  return last;
}

}  // namespace dolmen::test
