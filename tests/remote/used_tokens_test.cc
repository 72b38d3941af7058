// Tests of the tokens that a client remembers.

#include "remote/used_tokens.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>

#include "dolmen/clock.h"
#include "http/sha256.h"

namespace dolmen::remote {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using Owner = UsedTokens::Owner;

class UsedTokensTest : public testing::Test {
 protected:
  // A call with the token "t" that asks for this.
  UsedTokens::Use Asks(const std::string& asked) { return {&tokens_, "t", http::Sha256Of(asked)}; }
  Owner OwnerFor(const std::string& asked) { return Asks(asked).FindOwner(); }

  std::shared_ptr<ManualClock> clock_ = std::make_shared<ManualClock>();
  UsedTokens tokens_{clock_, 3};
};

TEST_F(UsedTokensTest, ATokenIsUsedUpByTheTransactionThatWasExecuted) {
  EXPECT_EQ(OwnerFor("a"), Owner::kUnknown);
  Asks("a").Executed();
  EXPECT_EQ(OwnerFor("a"), Owner::kSame);
  EXPECT_EQ(OwnerFor("b"), Owner::kOther);
  EXPECT_EQ(UsedTokens::Use(&tokens_, "u", http::Sha256Of("a")).FindOwner(), Owner::kUnknown);
}

TEST_F(UsedTokensTest, ATokenIsForgottenAfterTenMinutes) {
  Asks("a").Executed();
  clock_->Advance(minutes(10) - milliseconds(1));
  EXPECT_EQ(OwnerFor("b"), Owner::kOther);
  clock_->Advance(milliseconds(1));
  EXPECT_EQ(OwnerFor("b"), Owner::kUnknown);
  Asks("b").MayBeExecuted();
  EXPECT_EQ(OwnerFor("b"), Owner::kSame);
}

// The token has one owner if the service has told so. Otherwise each of them can be the owner.
TEST_F(UsedTokensTest, TransactionsThatMayBeExecutedShareAToken) {
  Asks("a").MayBeExecuted();
  EXPECT_EQ(OwnerFor("a"), Owner::kSame);
  EXPECT_EQ(OwnerFor("b"), Owner::kOther);
  Asks("b").MayBeExecuted();
  Asks("c").MayBeExecuted();
  for (const char* const asked : {"a", "b", "c"}) EXPECT_EQ(OwnerFor(asked), Owner::kOther);
  Asks("c").Executed();
  EXPECT_EQ(OwnerFor("c"), Owner::kSame);
  EXPECT_EQ(OwnerFor("a"), Owner::kOther);
}

TEST_F(UsedTokensTest, ARunningTransactionMayUseUpItsToken) {
  {
    const UsedTokens::Use running = Asks("a");
    EXPECT_EQ(OwnerFor("a"), Owner::kUnknown);
    EXPECT_EQ(OwnerFor("b"), Owner::kOther);
  }
  EXPECT_EQ(OwnerFor("b"), Owner::kUnknown) << "it was not executed";
}

TEST_F(UsedTokensTest, TheOldestTokenLeavesFirst) {
  const auto use = [&](const std::string& token) {
    return UsedTokens::Use(&tokens_, token, http::Sha256Of(token));
  };
  for (const char* const token : {"1", "2", "3", "1", "4"}) use(token).Executed();
  EXPECT_EQ(use("1").FindOwner(), Owner::kSame) << "it was used again";
  EXPECT_EQ(use("2").FindOwner(), Owner::kUnknown);
  EXPECT_EQ(use("3").FindOwner(), Owner::kSame);
  EXPECT_EQ(use("4").FindOwner(), Owner::kSame);
}

}  // namespace
}  // namespace dolmen::remote
