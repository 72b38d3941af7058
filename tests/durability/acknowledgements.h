// Kills a child process and reads the acknowledgements that the child sent before the kill. Chooses
// the options with which the child opens the database.

#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "dolmen/open_options.h"
#include "tests/support/child_process.h"
#include "tests/support/random.h"

namespace dolmen::test {

// The number of kills in a test. The variable DOLMEN_STEPS sets another number.
inline const std::size_t kRounds = TestSteps(50);

// The greatest number of acknowledgements that a test waits for before a kill.
inline constexpr std::size_t kAcknowledgementsMax = 120;

// Returns options that follow from the seed. They differ in what must not matter to a killed
// process. Write buffers are so small that some processes are killed while a file is written.
inline OpenOptions OptionsOf(std::uint64_t seed) {
  Random random(seed);
  OpenOptions options;
  options.durability = random.OneIn(2) ? Durability::kSync : Durability::kBuffered;
  options.on_conflict = random.OneIn(2) ? OnConflict::kWait : OnConflict::kFail;
  options.write_buffer_bytes = std::size_t{64 << 10} << random.Below(5);
  options.cache_bytes = random.OneIn(4) ? 0 : std::size_t{16 << 10} << random.Below(10);
  return options;
}

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
