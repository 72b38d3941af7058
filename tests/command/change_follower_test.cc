#include "command/change_follower.h"

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "command/table_copier.h"
#include "dolmen/testing/simulate.h"
#include "tests/command/served_database.h"
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
  static OpenedTable NewTable(std::optional<StreamViewType> view,
                              const std::vector<SimulateRule>& faults = {}) {
    const Database database = Value(
        Database::InMemory({.expiry_lag = std::nullopt, .simulate = Simulate({.rules = faults})}));
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
    command::TableCopier copier(from_, to_, checkpoints_.get(), "items",
                                {.parallel = 2, .interrupted = [] { return false; }});
    ASSERT_THAT(copier.Run(), IsOk());
    ASSERT_TRUE(copier.complete());
  }

  Result<ChangeFollower> Start(bool restart = false) const {
    return ChangeFollower::Start({.from = Value(TableOf(from_.database, "app")),
                                  .to = to_,
                                  .checkpoints = checkpoints_.get(),
                                  .name = "follow",
                                  .restart = restart},
                                 Until([] { return false; }));
  }

  // Replaces the stream of the source by a new one.
  void ReplaceStream() const {
    for (const StreamSpecification& stream :
         {StreamSpecification{.enabled = false},
          StreamSpecification{.view_type = StreamViewType::kNewImage}}) {
      EXPECT_THAT(from_.database.UpdateTable({.name = "app", .stream_specification = stream}),
                  IsOk());
    }
  }

  void PutInto(const OpenedTable& table, const std::string& sort) const {
    EXPECT_THAT(table.table.PutItem({.item = {{"PK", "a"}, {"SK", sort}}}), IsOk());
  }

  const OpenedTable from_ = NewTable(StreamViewType::kNewImage);
  const OpenedTable to_ = NewTable(std::nullopt);
  const std::unique_ptr<command::CheckpointStore> checkpoints_ =
      Value(command::CheckpointsOf(to_.database, {}, to_.description));
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
  ChangeFollower follower = Value(Start());
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
  { const ChangeFollower first = Value(Start()); }
  PutInto(from_, "1");
  ChangeFollower second = Value(Start());
  EXPECT_THAT(second.Run(Until([] { return true; })), IsOk());
  EXPECT_EQ(second.changes(), 1U);
  EXPECT_EQ(ReadContents(to_.table), ReadContents(from_.table));
}

TEST_F(ChangeFollowerTest, ARestartBeginsWithTheNextChange) {
  { const ChangeFollower first = Value(Start()); }
  PutInto(from_, "1");
  ChangeFollower second = Value(Start(true));
  PutInto(from_, "2");
  EXPECT_THAT(second.Run(Until([] { return true; })), IsOk());
  EXPECT_EQ(ReadContents(to_.table).size(), 1U);
}

TEST_F(ChangeFollowerTest, AFailedWriteIsReportedAndItsChangeComesAgain) {
  ChangeFollower follower = Value(Start());
  PutInto(from_, "1");
  ASSERT_THAT(to_.database.DeleteTable("app"), IsOk());
  FollowHooks hooks = Until([] { return false; });
  hooks.on_state = [](std::uint64_t changes, const Status&) { EXPECT_EQ(changes, 0U); };
  EXPECT_THAT(follower.Run(hooks), StatusIs(StatusCode::kResourceNotFound, testing::_));
  EXPECT_EQ(follower.changes(), 0U);
}

TEST_F(ChangeFollowerTest, AnItemThatTheTargetRejectsIsNamed) {
  ChangeFollower follower = Value(Start());
  EXPECT_THAT(
      to_.database.UpdateTable(
          {.name = "app",
           .create_index =
               GlobalSecondaryIndex{.name = "byN", .partition_key = {{"n", AttributeType::kN}}}}),
      IsOk());
  EXPECT_THAT(from_.table.PutItem({.item = {{"PK", "a"}, {"SK", "1"}, {"n", "text"}}}), IsOk());
  FollowHooks hooks = Until([] { return true; });
  hooks.on_state = [](std::uint64_t changes, const Status&) { EXPECT_EQ(changes, 0U); };
  EXPECT_THAT(follower.Run(hooks),
              StatusIs(StatusCode::kValidation,
                       HasSubstr(R"(the table app rejects the item {PK: "a", SK: "1"}: )")));
  EXPECT_EQ(follower.changes(), 0U);
}

TEST_F(ChangeFollowerTest, AStreamWithoutNewImagesIsRefused) {
  for (const auto view : {std::optional<StreamViewType>(), std::optional(StreamViewType::kKeysOnly),
                          std::optional(StreamViewType::kOldImage)}) {
    const auto started = ChangeFollower::Start(
        {.from = NewTable(view), .to = to_, .checkpoints = checkpoints_.get(), .name = "follow"},
        Until([] { return false; }));
    EXPECT_THAT(started.status(), StatusIs(StatusCode::kValidation, HasSubstr("with new images")));
  }
}

TEST_F(ChangeFollowerTest, ACopyBeginsOnlyInAnEmptyTarget) {
  { const ChangeFollower first = Value(Start()); }
  PutInto(to_, "1");
  EXPECT_THAT(Start(true).status(), StatusIs(StatusCode::kValidation, HasSubstr("has items")));
  // The refused restart has left the earlier run as it was.
  { const ChangeFollower second = Value(Start()); }
  ASSERT_THAT(checkpoints_->Remove("follow"), IsOk());
  EXPECT_THAT(Start().status(), StatusIs(StatusCode::kValidation, HasSubstr("has items")));
}

TEST_F(ChangeFollowerTest, ARunWithoutTheCheckpointBeginsAnotherSubscription) {
  const ChangeFollower first = Value(Start());
  ASSERT_THAT(checkpoints_->Remove("follow"), IsOk());
  const ChangeFollower second = Value(Start());
  EXPECT_NE(first.id(), second.id());
}

TEST_F(ChangeFollowerTest, ADeletedSubscriptionDoesNotBeginAnew) {
  const std::string id = Value(Start()).id();
  ASSERT_THAT(from_.table.Unsubscribe("dolmen-copy-" + id), IsOk());
  EXPECT_THAT(Start().status(),
              StatusIs(StatusCode::kTrimmedDataAccess, HasSubstr("delete the table in TO")));
}

TEST_F(ChangeFollowerTest, AReplacedStreamEndsTheCopy) {
  ChangeFollower follower = Value(Start());
  ReplaceStream();
  EXPECT_THAT(follower.Run(Until([] { return true; })),
              StatusIs(StatusCode::kTrimmedDataAccess, HasSubstr("disabled or replaced")));
}

TEST_F(ChangeFollowerTest, ALaterRunNoticesAReplacedStream) {
  { const ChangeFollower first = Value(Start()); }
  ReplaceStream();
  EXPECT_THAT(Start().status(),
              StatusIs(StatusCode::kTrimmedDataAccess, HasSubstr("was replaced")));
}

TEST_F(ChangeFollowerTest, ChangesThatAppearAfterTheSignalAreCopied) {
  ChangeFollower follower = Value(Start());
  FollowHooks hooks = Until([] { return true; });
  int pauses = 0;
  // The stream shows a change in the second pause, and another one in the fourth.
  hooks.pause = [&] {
    if (++pauses % 2 == 0 && pauses <= 4) PutInto(from_, std::to_string(pauses));
  };
  hooks.quiet_pauses = 2;
  EXPECT_THAT(follower.Run(hooks), IsOk());
  EXPECT_EQ(follower.changes(), 2U);
  EXPECT_EQ(ReadContents(to_.table), ReadContents(from_.table));
}

TEST_F(ChangeFollowerTest, ASignalStopsWithinABacklog) {
  ChangeFollower follower = Value(Start());
  for (int i = 0; i < 500; ++i) PutInto(from_, std::to_string(i));
  EXPECT_THAT(follower.CatchUp(Until([&] { return follower.changes() > 0; })),
              StatusIs(StatusCode::kStorage, "interrupted"));
  const std::uint64_t first = follower.changes();
  FollowHooks again = Until([] { return true; });
  again.ends_now = [&] { return follower.changes() > first; };
  EXPECT_THAT(follower.Run(again), StatusIs(StatusCode::kStorage, "interrupted"));
  EXPECT_GT(follower.changes(), first);
  EXPECT_LT(follower.changes(), 500U);
  EXPECT_THAT(follower.Run(Until([] { return true; })), IsOk());
  EXPECT_EQ(follower.changes(), 500U);
  EXPECT_EQ(ReadContents(to_.table), ReadContents(from_.table));
}

TEST_F(ChangeFollowerTest, TheLastChangeOfAnItemInAPageWins) {
  ChangeFollower follower = Value(Start());
  for (int i = 0; i < 30; ++i) {
    const std::string sort = std::to_string(i % 10);
    PutInto(from_, sort);
    const Item key{{"PK", "a"}, {"SK", sort}};
    if (i % 3 == 0) {
      ASSERT_THAT(from_.table.DeleteItem({.key = key}), IsOk());
    } else {
      ASSERT_THAT(from_.table.UpdateItem({.key = key, .update = Update().Set("n", i)}), IsOk());
    }
  }
  EXPECT_THAT(follower.Run(Until([] { return true; })), IsOk());
  EXPECT_EQ(follower.changes(), 60U);
  EXPECT_EQ(ReadContents(to_.table), ReadContents(from_.table));
}

TEST_F(ChangeFollowerTest, ThrottlingEndsNoPass) {
  const OpenedTable target =
      NewTable(std::nullopt, {{.operation = SimulatedOperation::kBatchWriteItem,
                               .fault = SimulatedFault::kThrottling,
                               .calls_max = 3}});
  const auto checkpoints = Value(command::CheckpointsOf(target.database, {}, target.description));
  FollowHooks hooks = Until([] { return true; });
  hooks.pauses_max = 3;
  int failures = 0;
  hooks.on_state = [&](std::uint64_t, const Status& error) { failures += error.ok() ? 0 : 1; };
  ChangeFollower follower = Value(ChangeFollower::Start(
      {.from = from_, .to = target, .checkpoints = checkpoints.get(), .name = "follow"}, hooks));
  PutInto(from_, "1");
  EXPECT_THAT(follower.Run(hooks), IsOk());
  EXPECT_EQ(failures, 3);
  EXPECT_EQ(ReadContents(target.table), ReadContents(from_.table));
}

TEST_F(ChangeFollowerTest, UnprocessedChangesOfABatchAreCopied) {
  const OpenedTable target = NewTable(
      std::nullopt,
      {{.operation = SimulatedOperation::kBatchWriteItem, .fault = SimulatedFault::kPartialBatch}});
  const auto checkpoints = Value(command::CheckpointsOf(target.database, {}, target.description));
  const FollowHooks hooks = Until([] { return true; });
  ChangeFollower follower = Value(ChangeFollower::Start(
      {.from = from_, .to = target, .checkpoints = checkpoints.get(), .name = "follow"}, hooks));
  for (int i = 0; i < 100; ++i) PutInto(from_, std::to_string(i));
  for (int i = 0; i < 100; i += 2) {
    ASSERT_THAT(from_.table.DeleteItem({.key = {{"PK", "a"}, {"SK", std::to_string(i)}}}), IsOk());
  }
  EXPECT_THAT(follower.Run(hooks), IsOk());
  EXPECT_EQ(ReadContents(target.table), ReadContents(from_.table));
}

// A source on a server: each run has a connection of its own, as a process has.
class SharedFollowerTest : public ServedCommandTest {
 protected:
  Result<ChangeFollower> Start(const FollowHooks& hooks) const {
    const Database source = Value(command::ConnectTo({.url = served_.url()}));
    return ChangeFollower::Start({.from = Value(TableOf(source, "app")),
                                  .to = to_,
                                  .checkpoints = checkpoints_.get(),
                                  .name = "follow"},
                                 hooks);
  }

  OpenedTable MakeTarget() const {
    MakeDatabase();
    return Value(TableOf(Open(), "app"));
  }

  const OpenedTable to_ = MakeTarget();
  const std::unique_ptr<command::CheckpointStore> checkpoints_ =
      Value(command::CheckpointsOf(to_.database, {}, to_.description));
};

TEST_F(SharedFollowerTest, ARunOwnsTheSubscriptionBeforeItStarts) {
  const Table source = MakeServedTable(
      {.name = "app",
       .stream_specification = StreamSpecification{.view_type = StreamViewType::kNewImage}});
  FollowHooks hooks = Until([] { return false; });
  hooks.on_state = [](std::uint64_t, const Status&) {};
  std::optional<ChangeFollower> first = Value(Start(hooks));
  EXPECT_THAT(Start(hooks).status(), StatusIs(StatusCode::kResourceInUse, testing::_));
  ASSERT_THAT(source.PutItem({.item = {{"PK", "a"}, {"SK", "1"}}}), IsOk());
  hooks.pauses_max = 1;
  hooks.pause = [&] { first.reset(); };
  ChangeFollower second = Value(Start(hooks));
  EXPECT_EQ(second.changes(), 1U);
  EXPECT_EQ(ReadContents(to_.table), ReadContents(source));
}

TEST_F(SharedFollowerTest, TheNextRunCopiesAPageThatHasFailed) {
  const Table source = MakeServedTable(
      {.name = "app",
       .stream_specification = StreamSpecification{.view_type = StreamViewType::kNewImage}});
  const auto put = [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      const Item item{{"PK", "a"}, {"SK", std::to_string(i)}, {"n", begin}};
      ASSERT_THAT(source.PutItem({.item = item}), IsOk());
    }
  };
  {
    std::atomic<bool> stop = false;
    FollowHooks hooks = Until([&] { return stop.load(); });
    ChangeFollower first = Value(Start(hooks));
    put(0, 100);
    EXPECT_THAT(first.CatchUp(hooks), IsOk());
    put(50, 150);
    // The signal arrives when the first batch of the page begins, so the others are not written.
    hooks.interrupted = [&] { return stop.exchange(true); };
    EXPECT_THAT(first.CatchUp(hooks), StatusIs(StatusCode::kStorage, "interrupted"));
    EXPECT_EQ(first.changes(), 100U);
  }
  ChangeFollower second = Value(Start(Until([] { return false; })));
  EXPECT_EQ(second.changes(), 100U);
  EXPECT_EQ(ReadContents(to_.table), ReadContents(source));
}

}  // namespace
}  // namespace dolmen::test
