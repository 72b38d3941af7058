// main() of every test binary: the tests, or one of the roles that tests run the binary as.

#include <gmock/gmock.h>

#include "tests/support/child_process.h"

int main(int argc, char** argv) {
  if (const auto exit_code = dolmen::test::ChildRole::RunIfChild(argc, argv)) return *exit_code;
  testing::InitGoogleMock(&argc, argv);
  return RUN_ALL_TESTS();
}
