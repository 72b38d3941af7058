// A test of three versions of a program that take turns on one table. Each reads and updates all
// items. Nothing is lost.

#include <dolmen/dolmen.h>
#include <dolmen/entity.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "tests/entity/club.h"
#include "tests/support/random.h"
#include "tests/support/status_matchers.h"
#include "tests/support/value.h"

namespace dolmen::evolution {
namespace {

using test::IsOk;
using test::Value;

constexpr int kMembers = 120;

EntityTable OpenTable(const Database& database, std::vector<std::string> indexes) {
  return Value(EntityTable::Open(
      database, {.name = "club", .indexes = std::move(indexes), .add_missing_indexes = true}));
}

// The values that the programs have written for one member.
struct Expected {
  std::string title = {};
  std::int64_t visits = 0;
  int level = 3;
};

class EvolutionTest : public testing::Test {
 protected:
  // Counts a visit of the member, by an update or by reading and putting the whole entity.
  template <typename Member>
  void Visit(const EntityTable& table, int number, bool by_put) {
    if (by_put) {
      Member member = Value(table.Get(Member{.number = number}));
      ++member.visits;
      Value(table.Put(member));
    } else {
      Value(table.Update(Member{.number = number},
                         Changes<Member>().template Add<&Member::visits>(1)));
    }
    ++expected_[static_cast<std::size_t>(number)].visits;
  }
  template <typename Member>
  void Promote(const EntityTable& table, int number) {
    Value(
        table.Update(Member{.number = number}, Changes<Member>().template Add<&Member::level>(1)));
    ++expected_[static_cast<std::size_t>(number)].level;
  }
  // Changes a random member by a random program.
  void Step(std::mt19937_64& random) {
    const auto number = static_cast<int>(random() % kMembers);
    const bool by_put = random() % 2 == 0;
    const auto action = random() % 6;
    if (action == 0) Visit<v1::Member>(table1_, number, by_put);
    if (action == 1) Visit<v2::Member>(table2_, number, by_put);
    if (action == 2) Visit<v3::Member>(table3_, number, by_put);
    if (action == 3) Promote<v2::Member>(table2_, number);
    if (action == 4) Promote<v3::Member>(table3_, number);
    if (action == 5) {
      const std::string title = "title" + std::to_string(random() % 1000);
      Value(table3_.Update(v3::Member{.number = number},
                           Changes<v3::Member>().Set<&v3::Member::title>(title)));
      expected_[static_cast<std::size_t>(number)].title = title;
    }
  }
  void Check() {
    const auto members = Value(table3_.Query<v3::Member>().All());
    ASSERT_EQ(members.size(), expected_.size());
    for (const v3::Member& member : members) {
      const Expected& expected = expected_[static_cast<std::size_t>(member.number)];
      EXPECT_EQ(member.title, expected.title) << member.number;
      EXPECT_EQ(member.visits, expected.visits) << member.number;
      EXPECT_EQ(member.level, expected.level) << member.number;
    }
    for (const v1::Member& member : Value(table1_.Query<v1::Member>().All())) {
      EXPECT_EQ(member.visits, expected_[static_cast<std::size_t>(member.number)].visits);
    }
  }

  Database database_ = Value(Database::InMemory());
  EntityTable table1_ = OpenTable(database_, {});
  EntityTable table2_ = table1_;
  EntityTable table3_ = table1_;
  std::vector<Expected> expected_;
};

TEST_F(EvolutionTest, ThreeVersionsOfAProgramTakeTurns) {
  std::mt19937_64 random(test::TestSeed());
  for (int number = 0; number < kMembers; ++number) {
    expected_.push_back({.title = "name" + std::to_string(number)});
    Value(table1_.Create(v1::Member{.number = number, .name = expected_.back().title}));
  }
  table2_ = OpenTable(database_, {"GSI1"});
  for (int number = 0; number < kMembers; number += 10) {
    Value(table2_.Create(v2::Badge{.member = number}));
  }
  table3_ = OpenTable(database_, {"GSI1", "GSI2"});
  for (int step = 0; step < 600; ++step) Step(random);
  Check();

  EXPECT_EQ(Value(table2_.Reindex<v2::Member>({.share = 1})).items_failed, 0U);
  EXPECT_EQ(Value(table2_.Scan<v2::Member>("GSI1").All()).size(), kMembers);
  for (int step = 0; step < 300; ++step) Step(random);
  EXPECT_EQ(Value(table3_.Reindex<v3::Member>({.share = 1})).items_failed, 0U);
  EXPECT_EQ(Value(table3_.Scan<v3::Member>("GSI2").All()).size(), kMembers);
  for (int step = 0; step < 300; ++step) Step(random);
  Check();
  EXPECT_EQ(Value(table2_.Query<v2::Badge>().All()).size(), kMembers / 10U);
}

}  // namespace
}  // namespace dolmen::evolution
