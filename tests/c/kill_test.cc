// Tests of a process that is killed while it writes through the C interface.

#include <cstdint>
#include <string>

#include "tests/c/c_database.h"
#include "tests/durability/acknowledgements.h"
#include "tests/support/child_process.h"
#include "tests/support/random.h"
#include "tests/support/temp_directory.h"

namespace dolmen::test {
namespace {

// Writes items whose keys are the numbers from a given number on, and acknowledges each write.
int WriteNumbers(const ChildArguments& arguments) {
  const CDatabase database = OpenC(arguments.at(0));
  for (std::uint64_t number = std::stoull(arguments.at(1));; ++number) {
    if (Put(database.get(), std::to_string(number)).status != 200) return 1;
    if (!TellParent(std::to_string(number))) return 2;
  }
}
const ChildRole kWriteNumbers("write_numbers", WriteNumbers);

class CKillTest : public SeededTest, public testing::WithParamInterface<const char*> {};

TEST_P(CKillTest, TheNextProcessFindsEveryAcknowledgedWrite) {
  const TempDirectory directory;
  const std::string options = R"({"Directory": ")" + (directory / "app").string() +
                              R"(", "Durability": ")" + GetParam() + "\"}";
  CreateApp(OpenC(options).get());
  std::uint64_t next = 1;  // the first number that is not stored
  for (std::size_t round = 0; round < kRounds; ++round) {
    ChildProcess child(kWriteNumbers, {options, std::to_string(next)});
    const std::uint64_t acknowledged = KillAfter(1 + random_.Below(20), &child).value_or(0);
    const CDatabase database = OpenC(options);
    for (; next <= acknowledged; ++next) {
      const std::string key = std::to_string(next);
      ASSERT_EQ(Get(database.get(), key), Stored(key)) << "round " << round;
    }
    // The child may have stored one more item, and was killed before it acknowledged it.
    if (Get(database.get(), std::to_string(next)) != "{}") ++next;
    ASSERT_EQ(Get(database.get(), std::to_string(next)), "{}") << "round " << round;
  }
}
INSTANTIATE_TEST_SUITE_P(, CKillTest, testing::Values("sync", "buffered"),
                         [](const auto& durability) { return std::string(durability.param); });

}  // namespace
}  // namespace dolmen::test
