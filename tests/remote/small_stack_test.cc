// Tests that the calls of a remote database need little of the stack of the thread that makes them.

#include "tests/support/small_stack.h"

#include "dolmen/dolmen.h"
#include "tests/remote/backend_fixture.h"

namespace dolmen::remote {
namespace {

class SmallStackTest : public BackendTest {};

TEST_F(SmallStackTest, CallsOfARemoteDatabaseRunOnTheSmallestStack) {
  if (!test::kHasFramesOfUsers) GTEST_SKIP() << "this build has larger frames";
  const Table table = Value(remote_.CreateTable({.name = "app"}));
  AttributeValue deepest = "x";
  for (int level = 1; level < 32; ++level) deepest = Map{{"a", deepest}};
  const Item item = {{"PK", "1"}, {"SK", "1"}, {"deepest", deepest}};
  EXPECT_LE(test::StackBytesOf([&] { EXPECT_THAT(table.PutItem({.item = item}), IsOk()); }),
            test::kUsableStackBytes);
  EXPECT_LE(test::StackBytesOf([&] {
              EXPECT_THAT(table.GetItem({.key = {{"PK", "1"}, {"SK", "1"}}}), IsOk());
            }),
            test::kUsableStackBytes);
}

}  // namespace
}  // namespace dolmen::remote
