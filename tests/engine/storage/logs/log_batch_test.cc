#include "engine/storage/logs/log_batch.h"

#include <gmock/gmock.h>

#include <optional>
#include <string>

#include "tests/support/log_bytes.h"

namespace dolmen::engine {
namespace {

using test::PutBatch;

constexpr std::uint64_t kUnreadable = 600;

bool CanFollowAfter(std::uint64_t next, const std::string& bytes, bool is_whole = true) {
  return CanFollow({.bytes = bytes, .is_whole = is_whole, .unreadable_bytes = kUnreadable}, next);
}

TEST(LogBatchTest, ABatchHasTheNumbersOfItsWrites) {
  const std::string batch = PutBatch(1000, "key", "value");
  ASSERT_TRUE(NumbersOf(batch).has_value());
  EXPECT_EQ(NumbersOf(batch)->first, 1000u);
  EXPECT_EQ(NumbersOf(batch)->count, 1u);
  EXPECT_FALSE(NumbersOf(batch.substr(0, 11)).has_value());
}

TEST(LogBatchTest, OnlyAMarkedBatchWasSynced) {
  EXPECT_TRUE(WasSynced(PutBatch(1, "key", "value", true)));
  EXPECT_FALSE(WasSynced(PutBatch(1, "sync", "sync")));
  EXPECT_FALSE(WasSynced("sync"));
}

TEST(LogBatchTest, ABatchFollowsIfItsNumberIsPossible) {
  EXPECT_TRUE(CanFollowAfter(1000, PutBatch(1000, "key", "value")));
  EXPECT_FALSE(CanFollowAfter(1000, PutBatch(999, "key", "value")));
  EXPECT_TRUE(CanFollowAfter(1000, PutBatch(1100, "key", "value")));
  EXPECT_FALSE(CanFollowAfter(1000, PutBatch(1101, "key", "value")));
  EXPECT_TRUE(CanFollow({.bytes = PutBatch(7, "key", "value")}, std::nullopt));
}

TEST(LogBatchTest, OnlyAWellFormedBatchFollows) {
  const std::string batch = PutBatch(1000, "key", "value");
  EXPECT_FALSE(CanFollowAfter(1000, batch + "x"));
  EXPECT_FALSE(CanFollowAfter(1000, batch.substr(0, batch.size() - 1)));
  EXPECT_FALSE(CanFollowAfter(1000, batch.substr(0, 5)));
  std::string another_count = batch;
  another_count[8] = 2;
  EXPECT_FALSE(CanFollowAfter(1000, another_count));
}

TEST(LogBatchTest, TheFirstPartOfABatchFollowsIfItsNumberIsPossible) {
  const std::string batch = PutBatch(1000, "key", "value");
  EXPECT_TRUE(CanFollowAfter(1000, batch.substr(0, 14), false));
  EXPECT_FALSE(CanFollowAfter(1001, batch.substr(0, 14), false));
  EXPECT_TRUE(CanFollowAfter(1000, batch.substr(0, 5), false));
}

}  // namespace
}  // namespace dolmen::engine
