// Tests of the memory budget that all connections share.

#include "server/budget.h"

#include <gtest/gtest.h>

#include <optional>
#include <utility>

namespace dolmen::test {
namespace {

using server::Budget;
using server::Share;

TEST(BudgetTest, SharesCannotExceedTheBudget) {
  Budget budget(10);
  Share first(&budget);
  Share second(&budget);
  EXPECT_TRUE(first.Resize(7));
  EXPECT_FALSE(second.Resize(4));
  EXPECT_TRUE(second.Resize(3));
  EXPECT_FALSE(second.Resize(4));
  EXPECT_TRUE(first.Resize(6));
  EXPECT_TRUE(second.Resize(4)) << "the failed call has kept the 3";
}

TEST(BudgetTest, AMovedShareIsReturnedOnce) {
  Budget budget(10);
  std::optional<Share> first(&budget);
  EXPECT_TRUE(first->Resize(10));
  std::optional<Share> moved(std::move(*first));
  first.reset();
  EXPECT_FALSE(Share(&budget).Resize(1));
  moved.reset();
  EXPECT_TRUE(Share(&budget).Resize(10));
  EXPECT_FALSE(Share(&budget).Resize(11));
}

}  // namespace
}  // namespace dolmen::test
