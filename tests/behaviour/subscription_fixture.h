// What the tests of subscriptions share: handlers that keep what they are given, and a place to
// wait for those in the background.

#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "tests/behaviour/stream_fixture.h"

namespace dolmen::behaviour {

// The sort keys that handlers were given, in order.  Callable from any thread.
class Given {
 public:
  void Add(const StreamRecord& record) {
    const std::lock_guard lock(mutex_);
    keys_.push_back(SortKeyOf(record));
    changed_.notify_all();
  }

  RecordHandler Handler() {
    return [this](const StreamRecord& record) {
      Add(record);
      return Status();
    };
  }

  // What came since the last call.
  std::vector<std::string> Take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(keys_, {});
  }

  // The same once there are so many; fewer if that takes a minute, which no working one does.
  std::vector<std::string> WaitFor(std::size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, std::chrono::minutes(1), [&] { return keys_.size() >= count; });
    return std::exchange(keys_, {});
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> keys_;
};

class SubscriptionFixture : public StreamFixture {
 protected:
  void SetUp() override {
    StreamFixture::SetUp();
    CreateThings();
  }

  // Deliver() alone hands over.
  static SubscribeInput ByHand(const StreamPosition& start = {},
                               const std::string& name = "reader") {
    SubscribeInput input;
    input.name = name;
    input.start = start;
    input.in_background = false;
    return input;
  }
  static SubscribeInput InBackground(const std::string& name = "reader") {
    SubscribeInput input;
    input.name = name;
    input.retry_after = milliseconds(1);
    return input;
  }

  // REQUIRES: it can be made
  Subscription Subscribe(const SubscribeInput& input, RecordHandler handler) const {
    auto subscription = table().Subscribe(input, std::move(handler));
    EXPECT_THAT(subscription, IsOk());
    return *std::move(subscription);
  }
  Subscription Subscribe(const SubscribeInput& input) { return Subscribe(input, given_.Handler()); }

  // What a subscription of the name is handed over now.
  std::vector<std::string> Deliver(const SubscribeInput& input) {
    Given given;
    EXPECT_THAT(Subscribe(input, given.Handler()).Deliver(), IsOk());
    return given.Take();
  }

  Given given_;
};

}  // namespace dolmen::behaviour
