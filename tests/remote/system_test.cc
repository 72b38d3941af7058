// Tests of the surroundings that a client uses outside tests.

#include "remote/system.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

namespace dolmen::test {
namespace {

TEST(SystemTest, ReadsTheEnvironment) {
  const remote::System system = remote::System::Real();
  ::setenv("DOLMEN_SYSTEM_TEST", "value", 1);
  EXPECT_EQ(system.variable("DOLMEN_SYSTEM_TEST"), "value");
  ::unsetenv("DOLMEN_SYSTEM_TEST");
  EXPECT_EQ(system.variable("DOLMEN_SYSTEM_TEST"), "");
}

TEST(SystemTest, TheTimePassesDuringAPauseAndChanceIsBelowOne) {
  const remote::System system = remote::System::Real();
  const auto start = system.steady_now();
  system.sleep(std::chrono::milliseconds(1));
  EXPECT_GE(system.steady_now() - start, std::chrono::milliseconds(1));
  double least = 1;
  double most = 0;
  for (int i = 0; i < 1000; ++i) {
    const double random = system.random();
    least = std::min(least, random);
    most = std::max(most, random);
  }
  EXPECT_GE(least, 0);
  EXPECT_LT(most, 1);
  EXPECT_LT(least, most);
}

}  // namespace
}  // namespace dolmen::test
