// main() of every test binary: runs the tests, or the child role that the command line names.

#include <gmock/gmock.h>

#include "tests/support/child_process.h"

int main(int argc, char** argv) {
  if (const auto exit_code = dolmen::test::ChildRole::RunIfChild(argc, argv)) return *exit_code;
  testing::InitGoogleMock(&argc, argv);
  return RUN_ALL_TESTS();
}
