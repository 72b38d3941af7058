#include "remote/token_times.h"

#include <gtest/gtest.h>

#include <chrono>

namespace dolmen::remote {
namespace {

using std::chrono::minutes;

class TokenTimesTest : public testing::Test {
 protected:
  const Timestamp now_ = std::chrono::sys_days(std::chrono::January / 1 / 2026);
  TokenTimes tokens_{3};
};

TEST_F(TokenTimesTest, ATokenKeepsItsTimeForTenMinutes) {
  EXPECT_EQ(tokens_.FirstUse("t", now_), now_);
  EXPECT_EQ(tokens_.FirstUse("t", now_ + minutes(9)), now_);
  EXPECT_EQ(tokens_.FirstUse("u", now_ + minutes(9)), now_ + minutes(9));
  EXPECT_EQ(tokens_.FirstUse("t", now_ + minutes(10)), now_ + minutes(10));
}

TEST_F(TokenTimesTest, TheOldestTokenLeavesFirst) {
  for (const char* const token : {"a", "b", "c", "d"}) tokens_.FirstUse(token, now_);
  EXPECT_EQ(tokens_.FirstUse("b", now_ + minutes(1)), now_);
  EXPECT_EQ(tokens_.FirstUse("a", now_ + minutes(1)), now_ + minutes(1));
}

}  // namespace
}  // namespace dolmen::remote
