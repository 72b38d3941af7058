// Tests of the shared owner.

#include "dolmen/internal/shared.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace dolmen::internal {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// An object that writes its name into a log when it is destroyed.
struct Logged {
  Logged(std::string n, std::vector<std::string>* l) : name(std::move(n)), log(l) {}
  Logged(Logged&& other) noexcept : name(other.name), log(std::exchange(other.log, nullptr)) {}
  virtual ~Logged() {
    if (log != nullptr) log->push_back(name);
  }
  std::string name;
  std::vector<std::string>* log;
};
struct LoggedChild : Logged {
  using Logged::Logged;
  Shared<Logged> part = nullptr;
};

static_assert(std::is_convertible_v<Shared<LoggedChild>, Shared<Logged>>);
static_assert(std::is_convertible_v<Shared<Logged>, Shared<const Logged>>);
static_assert(!std::is_convertible_v<Shared<Logged>, Shared<LoggedChild>>);
static_assert(!std::is_convertible_v<Shared<const Logged>, Shared<Logged>>);
static_assert(!std::is_convertible_v<std::shared_ptr<Logged>, Shared<LoggedChild>>);
static_assert(std::is_nothrow_move_constructible_v<Shared<Logged>>);

TEST(SharedTest, ANullOwnerOwnsNothing) {
  const Shared<int> none;
  EXPECT_FALSE(none);
  EXPECT_EQ(none, nullptr);
  EXPECT_EQ(none, Shared<int>(nullptr));
  EXPECT_EQ(Shared<int>(std::shared_ptr<int>()), nullptr);
  const Shared<int> copy = none;  // NOLINT(performance-unnecessary-copy-initialization)
  EXPECT_EQ(copy.get(), nullptr);
}

TEST(SharedTest, IsOnlyOwnerFollowsTheNumberOfOwners) {
  Shared<int> first = Shared<int>::Make(7);
  EXPECT_TRUE(first.IsOnlyOwner());
  {
    const Shared<int> second = first;
    EXPECT_EQ(first, second);
    EXPECT_FALSE(first.IsOnlyOwner());
    EXPECT_FALSE(second.IsOnlyOwner());
  }
  EXPECT_TRUE(first.IsOnlyOwner());
  const Shared<int> moved = std::move(first);
  EXPECT_TRUE(moved.IsOnlyOwner());
  EXPECT_EQ(first, nullptr);  // NOLINT(bugprone-use-after-move)
  const Shared<const int> constant = moved;
  EXPECT_FALSE(moved.IsOnlyOwner());
  EXPECT_EQ(*constant, 7);
}

TEST(SharedTest, TheLastOwnerDestroysTheObject) {
  std::vector<std::string> log;
  Shared<Logged> first = Shared<Logged>::Make("a", &log);
  Shared<Logged> second = first;
  first = nullptr;
  EXPECT_THAT(log, IsEmpty());
  second = Shared<Logged>::Make("b", &log);
  EXPECT_THAT(log, ElementsAre("a"));
  second = *&second;  // an assignment to itself
  EXPECT_EQ(second->name, "b");
  second = nullptr;
  EXPECT_THAT(log, ElementsAre("a", "b"));
}

TEST(SharedTest, AnOwnerInAnObjectIsDestroyedWithTheObject) {
  std::vector<std::string> log;
  Shared<LoggedChild> child = Shared<LoggedChild>::Make("whole", &log);
  child->part = Shared<Logged>::Make("part", &log);
  const Shared<Logged> kept = child->part;
  child = nullptr;
  EXPECT_THAT(log, ElementsAre("whole"));
  EXPECT_TRUE(kept.IsOnlyOwner());
  Shared<LoggedChild> other = Shared<LoggedChild>::Make("other", &log);
  other->part = Shared<Logged>::Make("other part", &log);
  other = nullptr;
  EXPECT_THAT(log, ElementsAre("whole", "other part", "other"));
}

TEST(SharedTest, ABaseOwnerDestroysTheDerivedObject) {
  std::vector<std::string> log;
  Shared<Logged> base;
  {
    const Shared<LoggedChild> child = Shared<LoggedChild>::Make("child", &log);
    child->part = Shared<Logged>::Make("part", &log);
    base = child;
    EXPECT_FALSE(base.IsOnlyOwner());
  }
  EXPECT_TRUE(base.IsOnlyOwner());
  EXPECT_EQ(base->name, "child");
  base = nullptr;
  EXPECT_THAT(log, ElementsAre("part", "child"));
}

TEST(SharedTest, TakesOverASharedPointerOfADerivedClass) {
  std::vector<std::string> log;
  auto pointer = std::make_shared<LoggedChild>("child", &log);
  const std::weak_ptr<LoggedChild> watch = pointer;
  Shared<Logged> owner = pointer;
  EXPECT_EQ(owner.get(), pointer.get());
  EXPECT_EQ(watch.use_count(), 2);
  EXPECT_TRUE(owner.IsOnlyOwner());  // it counts only the owners of type Shared
  pointer.reset();
  const Shared<const Logged> copy = owner;
  owner = nullptr;
  EXPECT_EQ(watch.use_count(), 1);
  EXPECT_THAT(log, IsEmpty());
}

TEST(SharedTest, TakesOverAUniquePointer) {
  std::vector<std::string> log;
  { const Shared<Logged> owner = std::make_unique<LoggedChild>("child", &log); }
  EXPECT_THAT(log, ElementsAre("child"));
}

TEST(SharedTest, ThreadsMayCopyOwnersOfOneObject) {
  std::vector<std::string> log;
  Shared<Logged> owner = Shared<Logged>::Make("a", &log);
  const auto copy_often = [](Shared<Logged> mine) {
    for (int i = 0; i < 20'000; ++i) {
      Shared<Logged> copy = mine;
      mine = std::move(copy);
    }
  };
  std::thread one(copy_often, owner);
  std::thread two(copy_often, owner);
  one.join();
  two.join();
  EXPECT_TRUE(owner.IsOnlyOwner());
  owner = nullptr;
  EXPECT_THAT(log, ElementsAre("a"));
}

}  // namespace
}  // namespace dolmen::internal
