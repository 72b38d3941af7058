// Tests of keys that are spread over shards, and of counters.

#include <dolmen/entity.h>
#include <dolmen/entity/counter.h>
#include <dolmen/entity/sharded.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <set>
#include <string>
#include <vector>

#include "tests/entity/fixture.h"

namespace dolmen::hotel {
namespace {

using testing::SizeIs;

// A visit, in a shard of the index that depends on the visitor. kShards and kShardsBefore are those
// of Sharded: each type is a version of the program.
template <std::int32_t kShards, std::int32_t kShardsBefore>
struct VisitOf {
  std::string visitor = {};
  int pages = 1;
  Sharded<kShards, kShardsBefore> shard = {};

  friend bool operator==(const VisitOf&, const VisitOf&) = default;
};
template <std::int32_t kShards, std::int32_t kShardsBefore>
constexpr auto DescribeEntity(const VisitOf<kShards, kShardsBefore>*) {
  using T = VisitOf<kShards, kShardsBefore>;
  return DefineEntity<T>(
      "visit",
      {Attribute<&T::visitor>("visitor"), Attribute<&T::pages>("pages"),
       Attribute<&T::shard>("shard")
           .template Derived<Sharded<kShards, kShardsBefore>::OfHash, &T::visitor>()},
      {PrimaryKey("VISITOR#{visitor}", "VISIT"), IndexKey("GSI1", "VISITS#{shard}", "{visitor}")});
}
using Visit = VisitOf<4, 4>;

// A hit, in any shard of its page.
struct Hit {
  std::string page = {};
  Sharded<8> shard = {};
  std::string id = {};

  friend bool operator==(const Hit&, const Hit&) = default;
};
constexpr auto DescribeEntity(const Hit*) {
  return DefineEntity<Hit>("hit",
                           {Attribute<&Hit::page>("page").InKeyOnly(),
                            Attribute<&Hit::shard>("shard").IfUnset<Sharded<8>::AtRandom>(),
                            Attribute<&Hit::id>("id").IfUnset<NewUlid>()},
                           {PrimaryKey("HITS#{page}#{shard}", "{id}")});
}

class ShardedTest : public EntityTest {
 protected:
  static std::string VisitorOf(int i) { return "v" + std::to_string(100 + i); }

  // Returns the visitors in the order of the query.
  template <typename T>
  std::vector<std::string> Visitors() const {
    std::vector<std::string> visitors;
    auto query = table().Query<T>("GSI1").template AllShards<&T::shard>();
    for (const T& visit : Value(query.All())) visitors.push_back(visit.visitor);
    return visitors;
  }
};

TEST_F(ShardedTest, AQueryOfAllShardsReadsThemAsOne) {
  std::vector<std::string> visitors;
  std::set<std::string> partitions;
  for (int i = 0; i < 40; ++i) {
    visitors.push_back(VisitorOf(i));
    Value(table().Create(Visit{.visitor = VisitorOf(i), .pages = i}));
    partitions.insert(
        *Stored(Key("VISITOR#" + VisitorOf(i), "VISIT")).at("GSI1PK").get_if<std::string>());
  }
  EXPECT_THAT(partitions, ElementsAre("VISITS#0", "VISITS#1", "VISITS#2", "VISITS#3"));
  EXPECT_EQ(Visitors<Visit>(), visitors);
  log_.Take();
  const auto all = table().Query<Visit>("GSI1").AllShards<&Visit::shard>();
  EXPECT_THAT(all.Count(), IsOkAndHolds(40u));
  EXPECT_THAT(all.Sum<&Visit::pages>(), IsOkAndHolds(780));
  EXPECT_THAT(Operations(), ElementsAre("Query", "Query")) << "a request reads all shards";
}

TEST_F(ShardedTest, AHashNeverChanges) {
  EXPECT_EQ(Sharded<10>::OfHash("").number(), 2'166'136'261U % 10);
  EXPECT_EQ(Sharded<10>::OfHash("a").number(), 0xE40C292CU % 10);  // FNV-1a's published vectors
  EXPECT_EQ(Sharded<100>::OfHash("foobar").number(), 0xBF9CF968U % 100);
}

TEST_F(ShardedTest, ARandomShardIsChosenOnce) {
  std::set<std::int32_t> shards;
  for (int i = 0; i < 200; ++i) {
    shards.insert(Value(table().Create(Hit{.page = "p"})).shard.number());
  }
  EXPECT_THAT(shards, SizeIs(8)) << "a shard stays empty with a probability of 1 : 10^10";
  const Hit hit = Value(table().Create(Hit{.page = "q", .shard = Sharded<8>(3)}));
  EXPECT_EQ(hit.shard, Sharded<8>(3)) << "a shard that is set stays";
  EXPECT_THAT(table().Get(hit), IsOkAndHolds(hit));
  EXPECT_THAT(table().Query<Hit>().With<&Hit::page>("p").AllShards<&Hit::shard>().Count(),
              IsOkAndHolds(200u));
}

TEST_F(ShardedTest, AKeyNeedsAShard) {
  EXPECT_THAT(table().Get(Hit{.page = "p", .id = "1"}),
              StatusIs(kValidation, Says("hit", "shard", "is not set")));
}

TEST_F(ShardedTest, MoreShardsFindOldItems) {
  for (int i = 0; i < 20; ++i) Value(table().Create(Visit{.visitor = VisitorOf(i)}));
  for (int i = 20; i < 40; ++i) Value(table().Create(VisitOf<9, 9>{.visitor = VisitorOf(i)}));
  EXPECT_THAT((Visitors<VisitOf<9, 9>>()), SizeIs(40));
}

TEST_F(ShardedTest, FewerShardsNeedAMigration) {
  for (int i = 0; i < 40; ++i) Value(table().Create(VisitOf<9, 9>{.visitor = VisitorOf(i)}));
  EXPECT_THAT((Visitors<VisitOf<4, 9>>()), SizeIs(40)) << "queries read the former shards";
  Value(table().Reindex<VisitOf<4, 9>>());
  EXPECT_THAT((Visitors<VisitOf<4, 4>>()), SizeIs(40));
}

TEST_F(ShardedTest, ASumThatIsTooLargeIsAnError) {
  const Counter counter(table(), "c");
  for (std::int32_t shard = 0; shard < 2; ++shard) {
    Value(table().Create(CounterShard{.counter = "c",
                                      .shard = Sharded<10>(shard),
                                      .count = std::numeric_limits<std::int64_t>::max()}));
  }
  EXPECT_THAT(counter.Value(), StatusIs(kValidation, Says("the sum of", "count", "too large")));
}

TEST_F(ShardedTest, ACounterIsTheSumOfAllAdditions) {
  const Counter likes(table(), "likes of #1");
  EXPECT_THAT(likes.Value(), IsOkAndHolds(0));
  EXPECT_THAT(likes.Add(5), IsOk());
  EXPECT_THAT(likes.Add(-7), IsOk());
  EXPECT_THAT(likes.Value(), IsOkAndHolds(-2));
  EXPECT_THAT(Counter(table(), "others").Value(), IsOkAndHolds(0));
  EXPECT_THAT(Counter(table(), "").Add(1), StatusIs(kValidation, HasSubstr("counter")));
}

TEST_F(ShardedTest, ATransactionAddsToACounterOrDoesNot) {
  const Counter rooms(table(), "rooms");
  const auto create = [&] {
    EntityTransaction transaction = table().Transact();
    transaction.Create(TheRoom());
    rooms.Add(1, &transaction);
    return transaction.Commit();
  };
  EXPECT_THAT(create(), IsOk());
  EXPECT_THAT(create(), StatusIs(kInUse, HasSubstr("room")));
  EXPECT_THAT(rooms.Value(), IsOkAndHolds(1));
}

}  // namespace
}  // namespace dolmen::hotel
