// A fixture for tests of subscriptions. It has handlers that keep the records they receive, and
// waits for records that a background thread delivers.

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

// The sort keys of the records that handlers received, in order. Thread-safe.
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

  // Returns and forgets the sort keys that have been added since the last call.
  std::vector<std::string> Take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(keys_, {});
  }

  // Waits until `count` sort keys have been added, but at most one minute. Then returns and forgets
  // all sort keys that have been added. The wait takes a minute only if the subscription is broken.
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

  // Returns the input of a subscription without a background thread: only Deliver calls the
  // handler.
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

  // Creates a subscription.
  // REQUIRES: Subscribe accepts `input`
  Subscription Subscribe(const SubscribeInput& input, RecordHandler handler) const {
    auto subscription = table().Subscribe(input, std::move(handler));
    EXPECT_THAT(subscription, IsOk());
    return *std::move(subscription);
  }
  Subscription Subscribe(const SubscribeInput& input) { return Subscribe(input, given_.Handler()); }

  // Returns the sort keys of the records that a new subscription with this input now delivers.
  std::vector<std::string> Deliver(const SubscribeInput& input) {
    Given given;
    EXPECT_THAT(Subscribe(input, given.Handler()).Deliver(), IsOk());
    return given.Take();
  }

  Given given_;
};

}  // namespace dolmen::behaviour
