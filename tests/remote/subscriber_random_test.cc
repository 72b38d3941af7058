// A random test of a subscription that several processes run in turn: shards split, handlers and writes of the
// state fail, processes end and die.

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "tests/remote/subscriber_fixture.h"
#include "tests/support/random.h"

namespace dolmen::remote {
namespace {

// Each item is changed again and again. Its sort keys are its versions.
class SubscriberRandomTest : public SubscriberTest {
 protected:
  static constexpr std::uint64_t kItems = 12;
  static constexpr std::size_t kProcesses = 3;

  // Fails the reads and writes of the state with the given chance. The seed stays the same, because it also
  // distributes the items to the shards.
  void SimulateFaults(double chance) {
    const FaultMoment moment = random_.OneIn(2) ? FaultMoment::kBefore : FaultMoment::kAfter;
    Simulate({.seed = seed_,
              .rules = {{.table = kState,
                         .fault = SimulatedFault::kInternalServerError,
                         .moment = moment,
                         .chance = chance}},
              .stream_shards = 8,
              .shard_lifetime = minutes(20)});
  }

  // A record may come again, but only after each earlier version of its item.
  Status Take(const StreamRecord& record) {
    if (handler_fails_ && random_.OneIn(4)) return Status::Storage("not now");
    const std::string item(*record.keys.view()["PK"].AsString());
    const int version = std::stoi(SortKeyOf(record));
    int& newest = delivered_[item];
    EXPECT_LE(version, newest + 1) << item;
    newest = std::max(newest, version);
    return {};
  }

  void Change() {
    const std::string item = std::to_string(random_.Below(kItems));
    Put(item, std::to_string(++written_[item]));
    clock_->Advance(seconds(random_.Below(240)));
  }

  void Subscribe(std::optional<Subscription>* process) {
    auto subscription =
        Value(Connect().OpenTable("app")).Subscribe(ByHand(), [this](const StreamRecord& record) {
          return Take(record);
        });
    if (subscription.ok()) process->emplace(*std::move(subscription));
  }

  void Step() {
    std::optional<Subscription>& process = processes_[random_.Below(kProcesses)];
    switch (random_.Below(8)) {
      case 0:
        SimulateFaults(random_.OneIn(2) ? 0 : 0.05 * static_cast<double>(random_.Below(12)));
        break;
      case 1:
        process.reset();
        break;
      case 2:
        steady_ = steady_.load() + seconds(random_.Below(40));  // leases expire
        break;
      case 3:
        handler_fails_ = !handler_fails_;
        break;
      default:
        if (!process) Subscribe(&process);
        if (process) process->Deliver().status().IgnoreError();
    }
  }

  test::Random random_{test::TestSeed()};
  const std::uint64_t seed_ = random_.Next();
  bool handler_fails_ = false;
  std::map<std::string, int> written_;
  std::map<std::string, int> delivered_;
  std::array<std::optional<Subscription>, kProcesses> processes_;
};

TEST_F(SubscriberRandomTest, NoVersionOfAnItemIsSkipped) {
  SCOPED_TRACE("DOLMEN_SEED=" + std::to_string(test::TestSeed()));
  SimulateFaults(0);
  for (int step = 0; step < 300; ++step) {
    if (random_.OneIn(2)) Change();
    Step();
  }
  SimulateFaults(0);
  handler_fails_ = false;
  for (auto& process : processes_) process.reset();
  steady_ = steady_.load() + seconds(60);
  Subscribe(&processes_[0]);
  ASSERT_TRUE(processes_[0]);
  if (!processes_[0]->Deliver().ok()) {  // a process has ended without a release
    steady_ = steady_.load() + seconds(60);
    EXPECT_THAT(processes_[0]->Deliver(), IsOk());
  }
  EXPECT_EQ(delivered_, written_);
}

}  // namespace
}  // namespace dolmen::remote
