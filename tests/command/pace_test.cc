#include "command/pace.h"

#include <gtest/gtest.h>

#include <functional>

namespace dolmen::test {
namespace {

using command::Pace;
using std::chrono::milliseconds;
using std::chrono::seconds;

class PaceTest : public testing::Test {
 protected:
  Pace::Waiting waiting() {
    return {.now = [this] { return now_; },
            .sleep = [this](Pace::Clock::duration time) { now_ += time; }};
  }
  milliseconds elapsed() const { return std::chrono::duration_cast<milliseconds>(now_ - start_); }

  const Pace::Clock::time_point start_ = Pace::Clock::time_point(seconds(1000));
  Pace::Clock::time_point now_ = start_;
  const std::function<bool()> never_ = [] { return false; };
};

TEST_F(PaceTest, AnAmountTakesItsTime) {
  Pace pace(100, waiting());
  pace.Use(50, never_);
  EXPECT_EQ(elapsed(), milliseconds(500));
  for (int i = 0; i < 10; ++i) pace.Use(25, never_);
  EXPECT_EQ(elapsed(), milliseconds(3000));
}

TEST_F(PaceTest, IdleTimeIsNotSaved) {
  Pace pace(100, waiting());
  now_ += seconds(60);
  pace.Use(100, never_);
  EXPECT_EQ(elapsed(), seconds(61));
}

TEST_F(PaceTest, NoPaceNeverWaits) {
  Pace pace(0, waiting());
  pace.Use(1e12, never_);
  EXPECT_EQ(elapsed(), milliseconds(0));
}

TEST_F(PaceTest, AWaitEndsSoonAfterAStop) {
  Pace pace(1, waiting());
  int calls = 0;
  pace.Use(1e6, [&] { return ++calls > 3; });
  EXPECT_EQ(elapsed(), milliseconds(300));
}

}  // namespace
}  // namespace dolmen::test
