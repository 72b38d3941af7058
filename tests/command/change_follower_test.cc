#include "command/change_follower.h"

#include <atomic>
#include <functional>
#include <thread>
#include <vector>

#include "command/table_copier.h"
#include "tests/command/command_fixture.h"
#include "tests/support/contents.h"
#include "tests/support/items.h"
#include "tests/support/status_matchers.h"
#include "tests/support/value.h"

namespace dolmen::test {
namespace {

using command::ChangeFollower;
using command::FollowHooks;
using command::OpenedTable;
using command::TableOf;
using testing::HasSubstr;

// Returns hooks of a run that ends when `stop` returns true, and in which nothing fails.
FollowHooks Until(std::function<bool()> stop) {
  return {.interrupted = std::move(stop),
          .pause = [] { std::this_thread::yield(); },
          .on_state = [](std::uint64_t, const Status& error) { EXPECT_THAT(error, IsOk()); }};
}

// A source with a stream and a target in one process, so that the subscription is an embedded one. The
// order of the copy is that of `dolmen copy --follow`.
class ChangeFollowerTest : public SeededTest {
 protected:
  static OpenedTable NewTable(std::optional<StreamViewType> view) {
    const Database database = Value(Database::InMemory({.expiry_lag = std::nullopt}));
    CreateTableInput input{.name = "app"};
    if (view) input.stream_specification = StreamSpecification{.view_type = view};
    EXPECT_THAT(database.CreateTable(input), IsOk());
    return Value(TableOf(database, "app"));
  }

  // Puts and deletes random items of one partition until `stop`.
  static void Write(const Table& table, int writer, std::uint64_t seed,
                    const std::atomic<bool>& stop, std::atomic<int>* writes) {
    Random random(seed);
    while (!stop) {
      const Item key{{"PK", "w" + std::to_string(writer)},
                     {"SK", std::to_string(random.Below(40))}};
      if (random.OneIn(4)) {
        EXPECT_THAT(table.DeleteItem({.key = key}), IsOk());
      } else {
        Item item = key;
        item.insert_or_assign("n", writes->load());
        EXPECT_THAT(table.PutItem({.item = item}), IsOk());
      }
      ++*writes;
    }
  }

  void CopyItems() const {
    const auto checkpoints = Value(command::CheckpointsOf(to_.database, {}, to_.description));
    command::TableCopier copier(from_, to_, checkpoints.get(), "follow",
                                {.parallel = 2, .interrupted = [] { return false; }});
    ASSERT_THAT(copier.Run(), IsOk());
    ASSERT_TRUE(copier.complete());
  }

  const OpenedTable from_ = NewTable(StreamViewType::kNewImage);
  const OpenedTable to_ = NewTable(std::nullopt);
};

TEST_F(ChangeFollowerTest, TheSwitchUnderFourWritersLosesNothing) {
  for (int i = 0; i < 500; ++i) {
    ASSERT_THAT(from_.table.PutItem({.item = {{"PK", "old"}, {"SK", std::to_string(i)}}}), IsOk());
  }
  std::atomic<bool> stop = false;
  std::atomic<int> writes = 0;
  std::vector<std::thread> writers;
  for (int writer = 0; writer < 4; ++writer) {
    writers.emplace_back(Write, from_.table, writer, random_.Below(UINT32_MAX), std::cref(stop),
                         &writes);
  }
  ChangeFollower follower = Value(ChangeFollower::Start(from_, to_.table, "f", false));
  CopyItems();
  std::thread following([&] {
    // The signal arrives after all writers have stopped.
    EXPECT_THAT(follower.Run(Until([&] { return stop.load(); })), IsOk());
  });
  const int enough = writes + 2000;
  while (writes < enough) std::this_thread::yield();
  stop = true;
  for (std::thread& writer : writers) writer.join();
  following.join();
  EXPECT_THAT(follower.CatchUp(Until([] { return true; })), IsOk());
  EXPECT_EQ(ReadContents(to_.table), ReadContents(from_.table));
}

TEST_F(ChangeFollowerTest, ALaterRunContinuesWhereTheFirstHasEnded) {
  { const ChangeFollower first = Value(ChangeFollower::Start(from_, to_.table, "f", false)); }
  ASSERT_THAT(from_.table.PutItem({.item = {{"PK", "a"}, {"SK", "1"}}}), IsOk());
  ChangeFollower second = Value(ChangeFollower::Start(from_, to_.table, "f", false));
  EXPECT_THAT(second.Run(Until([] { return true; })), IsOk());
  EXPECT_EQ(second.changes(), 1U);
  EXPECT_EQ(ReadContents(to_.table), ReadContents(from_.table));
}

TEST_F(ChangeFollowerTest, ARestartBeginsWithTheNextChange) {
  { const ChangeFollower first = Value(ChangeFollower::Start(from_, to_.table, "f", false)); }
  ASSERT_THAT(from_.table.PutItem({.item = {{"PK", "a"}, {"SK", "1"}}}), IsOk());
  ChangeFollower second = Value(ChangeFollower::Start(from_, to_.table, "f", true));
  ASSERT_THAT(from_.table.PutItem({.item = {{"PK", "a"}, {"SK", "2"}}}), IsOk());
  EXPECT_THAT(second.Run(Until([] { return true; })), IsOk());
  EXPECT_EQ(ReadContents(to_.table).size(), 1U);
}

TEST_F(ChangeFollowerTest, AFailedWriteIsReportedAndItsChangeComesAgain) {
  ChangeFollower follower = Value(ChangeFollower::Start(from_, to_.table, "f", false));
  ASSERT_THAT(from_.table.PutItem({.item = {{"PK", "a"}, {"SK", "1"}}}), IsOk());
  ASSERT_THAT(to_.database.DeleteTable("app"), IsOk());
  FollowHooks hooks = Until([] { return false; });
  hooks.on_state = [](std::uint64_t changes, const Status&) { EXPECT_EQ(changes, 0U); };
  EXPECT_THAT(follower.Run(hooks), StatusIs(StatusCode::kResourceNotFound, testing::_));
  EXPECT_EQ(follower.changes(), 0U);
}

TEST_F(ChangeFollowerTest, AStreamWithoutNewImagesIsRefused) {
  for (const auto view : {std::optional<StreamViewType>(), std::optional(StreamViewType::kKeysOnly),
                          std::optional(StreamViewType::kOldImage)}) {
    EXPECT_THAT(ChangeFollower::Start(NewTable(view), to_.table, "f", false),
                StatusIs(StatusCode::kValidation, HasSubstr("with new images")));
  }
}

}  // namespace
}  // namespace dolmen::test
