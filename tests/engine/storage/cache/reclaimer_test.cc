// Tests of the reclaimer: an object lives as long as a reader may use it, and not much longer.

#include "engine/storage/cache/reclaimer.h"

#include <gmock/gmock.h>

#include <memory>
#include <optional>
#include <thread>
#include <vector>

namespace dolmen::engine {
namespace {

constexpr std::size_t kManyBytes = std::size_t{1} << 20;  // makes each call free what it can

// Retires a new object and returns an observer of it.
std::weak_ptr<int> RetireOne(Reclaimer& reclaimer) {
  auto object = std::make_shared<int>(1);
  std::weak_ptr<int> observer = object;
  reclaimer.Retire(std::move(object), kManyBytes);
  return observer;
}

TEST(ReclaimerTest, AnObjectIsFreedIfNobodyReads) {
  Reclaimer reclaimer;
  EXPECT_TRUE(RetireOne(reclaimer).expired());
}

TEST(ReclaimerTest, AnObjectLivesUntilItsReadersHaveEnded) {
  Reclaimer reclaimer;
  std::optional<Reclaimer::Guard> reader(reclaimer);
  const std::weak_ptr<int> used = RetireOne(reclaimer);
  const Reclaimer::Guard later(reclaimer);
  EXPECT_FALSE(used.expired());
  reader.reset();
  const std::weak_ptr<int> other = RetireOne(reclaimer);
  EXPECT_TRUE(used.expired()) << "the reader that began later cannot use it";
  EXPECT_FALSE(other.expired());
}

TEST(ReclaimerTest, AGuardIsInvalidWhileTooManyReadersAreActive) {
  Reclaimer reclaimer;
  std::vector<std::unique_ptr<Reclaimer::Guard>> guards;
  do {
    guards.push_back(std::make_unique<Reclaimer::Guard>(reclaimer));
  } while (*guards.back());
  EXPECT_GT(guards.size(), 100u);
  guards.erase(guards.begin());
  EXPECT_TRUE(Reclaimer::Guard(reclaimer));
}

TEST(ReclaimerTest, CountsOfAllReadersAreSummed) {
  Reclaimer reclaimer;
  const auto read = [&] {
    Reclaimer::Guard guard(reclaimer);
    guard.CountHit();
    guard.CountHit();
    guard.CountMiss();
  };
  std::thread other(read);
  other.join();
  read();
  EXPECT_EQ(reclaimer.counts().hits, 4u);
  EXPECT_EQ(reclaimer.counts().misses, 2u);
}

}  // namespace
}  // namespace dolmen::engine
