// Tests of reads through the row cache. test::CheckedReads compares each cached read with
// RocksDB.

#include "engine/read/cached_cursor.h"

#include <gmock/gmock.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dolmen/dolmen.h"
#include "engine/storage/cursor.h"
#include "tests/support/allocations.h"
#include "tests/support/checked_reads.h"
#include "tests/support/items.h"
#include "tests/support/random.h"
#include "tests/support/value.h"

namespace dolmen {
namespace {

using test::IsOk;
using test::Value;

constexpr int kRows = 120;

class CachedReadsTest : public test::SeededTest {
 protected:
  void SetUp() override { Open({}); }

  void Open(const OpenOptions& options) {
    db_.emplace(Value(Database::InMemory(options)));
    table_ = Value(db_->CreateTable({.name = "app"}));
    for (int i = 0; i < kRows; ++i) Put(i);
  }

  static std::string SortOf(int i) { return "k" + std::to_string(1000 + i); }
  static Item RowOf(int i) { return {{"PK", "p"}, {"SK", SortOf(i)}, {"n", i % 7}}; }
  void Put(int i) { ASSERT_THAT(table_->PutItem({.item = RowOf(i)}), IsOk()); }

  std::uint64_t Hits() { return Value(db_->Stats()).row_cache_hits; }

  // Reads the page, and returns true if the row cache answered.
  bool IsHit(const QueryInput& input, QueryOutput* page) {
    const std::uint64_t before = Hits();
    EXPECT_THAT(table_->Query(input, page), IsOk());
    return Hits() > before;
  }
  bool IsHit(const QueryInput& input) {
    QueryOutput page;
    return IsHit(input, &page);
  }

  std::optional<test::CheckedReads> checked_reads_{std::in_place};
  std::optional<Database> db_;
  std::optional<Table> table_;
};

QueryInput Newest(std::uint32_t limit) {
  return {.key_condition = Partition("p"), .forward = false, .limit = limit};
}

TEST_F(CachedReadsTest, TheThirdReadIsAnsweredByTheCache) {
  for (const bool forward : {true, false}) {
    const QueryInput input{.key_condition = Partition("p"), .forward = forward, .limit = 50};
    EXPECT_FALSE(IsHit(input));
    IsHit(input);
    QueryOutput page;
    EXPECT_TRUE(IsHit(input, &page));
    ASSERT_EQ(page.size(), 50u);
    EXPECT_EQ(page[0]["SK"].AsString(), forward ? "k1000" : "k1119");
    EXPECT_EQ(page.last_evaluated_key().at("SK"), AttributeValue(forward ? "k1049" : "k1070"));
  }
}

TEST_F(CachedReadsTest, APartitionThatGrowsStaysCached) {
  for (int i = 0; i < 3; ++i) IsHit(Newest(50));
  for (int i = kRows; i < kRows + 200; ++i) {
    Put(i);
    QueryOutput page;
    ASSERT_TRUE(IsHit(Newest(50), &page));
    ASSERT_EQ(page[0]["SK"].AsString(), SortOf(i));
  }
}

TEST_F(CachedReadsTest, AReadThatRunsOutOfTheCacheExtendsIt) {
  for (int i = 0; i < 2; ++i) IsHit(Newest(20));
  EXPECT_FALSE(IsHit(Newest(60)));
  EXPECT_TRUE(IsHit(Newest(60)));
  EXPECT_TRUE(IsHit(Newest(20)));
}

TEST_F(CachedReadsTest, PagesJoinIntoOneStretch) {
  for (int round = 0; round < 2; ++round) {
    QueryInput input = Newest(50);
    QueryOutput page;
    do {
      IsHit(input, &page);
      input.exclusive_start_key = page.last_evaluated_key();
    } while (!input.exclusive_start_key.empty());
  }
  EXPECT_TRUE(IsHit({.key_condition = Partition("p")})) << "the whole partition, forward";
}

TEST_F(CachedReadsTest, AFilterAndAProjectionReadTheCachedRows) {
  const QueryInput input{.key_condition = Partition("p"),
                         .filter = "n = :n",
                         .projection = "SK",
                         .values = {{":n", 3}}};
  for (int i = 0; i < 2; ++i) IsHit(input);
  QueryOutput page;
  EXPECT_TRUE(IsHit(input, &page));
  EXPECT_EQ(page.count(), 17u);
  EXPECT_EQ(page[1].ToString(), "{SK: \"k1010\"}");
}

TEST_F(CachedReadsTest, AnItemAndItsAbsenceAreCached) {
  const auto get = [&](const std::string& sort) {
    const std::uint64_t before = Hits();
    EXPECT_THAT(table_->GetItem({.key = {{"PK", "q"}, {"SK", sort}}}), IsOk());
    return Hits() > before;
  };
  get("a");
  get("a");
  EXPECT_TRUE(get("a")) << "absent";
  ASSERT_THAT(table_->PutItem({.item = {{"PK", "q"}, {"SK", "a"}, {"v", 1}}}), IsOk());
  EXPECT_TRUE(get("a")) << "written through";
  EXPECT_FALSE(get("b"));
}

TEST_F(CachedReadsTest, ABatchIsAnsweredByTheCacheIfAllItsItemsAreCached) {
  const auto is_hit = [&](int last) {
    std::vector<Item> keys;
    for (int i = 0; i <= last; ++i) keys.push_back({{"PK", "p"}, {"SK", SortOf(i)}});
    const std::uint64_t before = Hits();
    const auto read = db_->BatchGetItem({.requests = {{.table = *table_, .keys = keys}}});
    EXPECT_EQ(Value(read).responses[0].size(), keys.size());
    return Hits() > before;
  };
  const QueryInput first_ten{.key_condition = Partition("p"), .limit = 10};
  for (int i = 0; i < 2; ++i) IsHit(first_ten);
  EXPECT_TRUE(is_hit(9));
  EXPECT_FALSE(is_hit(10));
}

// The page owns its rows together with the cache.
TEST_F(CachedReadsTest, APageOutlivesWritesAndTheDatabase) {
  QueryOutput page;
  for (int i = 0; i < 3; ++i) ASSERT_THAT(table_->Query(Newest(50), &page), IsOk());
  const std::string before = page[49].ToString();
  for (int i = 0; i < kRows; ++i) {
    ASSERT_THAT(table_->DeleteItem({.key = {{"PK", "p"}, {"SK", SortOf(i)}}}), IsOk());
  }
  table_.reset();
  db_.reset();
  EXPECT_EQ(page[49].ToString(), before);
  const QueryOutput copy = page;
  const QueryOutput moved = std::move(page);
  EXPECT_EQ(copy[49].ToString(), before);
  EXPECT_EQ(moved[49].ToString(), before);
}

TEST_F(CachedReadsTest, AScanLeavesTheCacheUnchanged) {
  const std::uint64_t before = Value(db_->Stats()).row_cache_bytes;
  for (int i = 0; i < 3; ++i) {
    ScanOutput page;
    ASSERT_THAT(table_->Scan({}, &page), IsOk());
  }
  EXPECT_EQ(Value(db_->Stats()).row_cache_bytes, before);
}

TEST_F(CachedReadsTest, ZeroBytesTurnTheCacheOff) {
  Open({.row_cache_bytes = 0});
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(IsHit(Newest(50)));
  EXPECT_EQ(Value(db_->Stats()).row_cache_bytes, 0u);
}

TEST_F(CachedReadsTest, ADeletedTableIsForgotten) {
  for (int i = 0; i < 3; ++i) IsHit(Newest(50));
  ASSERT_THAT(db_->DeleteTable("app"), IsOk());
  Open({});
  QueryOutput page;
  EXPECT_FALSE(IsHit(Newest(50), &page));
  EXPECT_EQ(page.size(), 50u);
}

TEST_F(CachedReadsTest, AHotPageAllocatesTheSameMemoryForAnyNumberOfRows) {
  checked_reads_.reset();
  Open({});
  QueryOutput page;
  const auto allocations = [&](std::uint32_t limit) {
    const QueryInput input = Newest(limit);
    for (int i = 0; i < 4; ++i) EXPECT_THAT(table_->Query(input, &page), IsOk());
    const std::size_t before = test::AllocationCount();
    EXPECT_THAT(table_->Query(input, &page), IsOk());
    return test::AllocationCount() - before;
  };
  const auto one = allocations(1);
  EXPECT_EQ(allocations(100), one);
}

// A program that takes items from an end of a partition. `take` reads the item at this end, and moves or deletes it.
// Returns the keys that RocksDB passes over in a round once many items were taken.
class TakenItemsTest : public CachedReadsTest {
 protected:
  static constexpr int kRounds = 400;
  static constexpr std::uint64_t kPassedOverMax = 40;  // about two blocks of the cache

  // The checks of cached reads would pass over deleted rows.
  void SetUp() override { checked_reads_.reset(), Open({}); }

  Item First(QueryInput input) {
    input.limit = 1;
    const QueryOutput page = Value(table_->Query(input));
    EXPECT_EQ(page.size(), 1u);
    return Value(page[0].Copy());
  }
  void Delete(const Item& item) {
    ASSERT_THAT(table_->DeleteItem({.key = {{"PK", item.at("PK")}, {"SK", item.at("SK")}}}),
                IsOk());
  }

  template <typename Round>
  std::uint64_t PassedOverByLastRounds(Round round) {
    std::uint64_t passed_over = 0;
    for (int i = 0; i < kRounds; ++i) {
      const std::uint64_t before = engine::Cursor::KeysPassedOver();
      round(i);
      if (i >= kRounds / 2) passed_over += engine::Cursor::KeysPassedOver() - before;
    }
    return passed_over / (kRounds / 2);
  }
};

TEST_F(TakenItemsTest, AQueueStaysFast) {
  for (const bool forward : {true, false}) {
    for (int i = 0; i <= kRounds; ++i) Put(i);
    EXPECT_LE(PassedOverByLastRounds([&](int) {
                Delete(First({.key_condition = Partition("p"), .forward = forward}));
              }),
              kPassedOverMax);
  }
}

TEST_F(TakenItemsTest, AQueueThatGrowsAtItsEndStaysFast) {
  EXPECT_LE(PassedOverByLastRounds([&](int i) {
              Put(kRows + i);
              Delete(First({.key_condition = Partition("p")}));
            }),
            kPassedOverMax);
}

// Each reader asks for the tasks up to another time.
TEST_F(TakenItemsTest, TasksThatAreDueStayFast) {
  for (int i = 0; i <= kRounds; ++i) Put(i);
  EXPECT_LE(PassedOverByLastRounds([&](int i) {
              Delete(First({.key_condition = Key("PK") == "p" && Key("SK") <= SortOf(i)}));
            }),
            kPassedOverMax);
}

// The entries of an index may hold whole items, or only keys.
class TakenEntriesTest : public TakenItemsTest,
                         public testing::WithParamInterface<ProjectionType> {};
INSTANTIATE_TEST_SUITE_P(Projections, TakenEntriesTest,
                         testing::Values(ProjectionType::kAll, ProjectionType::kKeysOnly));

TEST_P(TakenEntriesTest, AnIndexWhoseBestEntryMovesStaysFast) {
  table_ =
      Value(db_->CreateTable({.name = "scores",
                              .local_secondary_indexes = {{.name = "by_score",
                                                           .sort_key = {"score", AttributeType::kN},
                                                           .projection = GetParam()}}}));
  for (int i = 0; i <= kRounds; ++i) {
    ASSERT_THAT(table_->PutItem({.item = {{"PK", "p"}, {"SK", SortOf(i)}, {"score", 10'000 + i}}}),
                IsOk());
  }
  EXPECT_LE(PassedOverByLastRounds([&](int i) {
              Item best =
                  First({.index = "by_score", .key_condition = Partition("p"), .forward = false});
              best["score"] = i;
              ASSERT_THAT(table_->PutItem({.item = best}), IsOk());
            }),
            kPassedOverMax);
}

// Random reads and writes of a few partitions. A difference between cache and RocksDB is an error.
TEST_F(CachedReadsTest, RandomReadsAgreeWithRocksDb) {
  Open({.row_cache_bytes = random_.OneIn(2) ? std::size_t{64} << 10 : std::size_t{8} << 20});
  const auto sort = [&] { return "k" + std::to_string(1000 + random_.Below(kRows)); };
  const auto partition = [&] { return std::string(1, static_cast<char>('p' + random_.Below(3))); };
  QueryOutput page;
  for (std::size_t i = 0; i < test::TestSteps(5000) && !HasFailure(); ++i) {
    const Item key{{"PK", partition()}, {"SK", sort()}};
    switch (random_.Below(6)) {
      case 0: {
        Item item = key;
        item["n"] = static_cast<int>(random_.Below(7));
        item["text"] = std::string(random_.Below(600), 'x');
        ASSERT_THAT(table_->PutItem({.item = std::move(item)}), IsOk());
        break;
      }
      case 1:
        ASSERT_THAT(table_->DeleteItem({.key = key}), IsOk());
        break;
      case 2:
        ASSERT_THAT(table_->GetItem({.key = key}), IsOk());
        break;
      default: {
        QueryInput input{.key_condition = Partition(key.at("PK")), .forward = random_.OneIn(2)};
        if (random_.OneIn(2)) input.limit = static_cast<std::uint32_t>(random_.Below(60) + 1);
        input.exact_end = random_.OneIn(2);
        if (random_.OneIn(4)) input.exclusive_start_key = key;
        if (random_.OneIn(4)) {
          input.filter = "n < :n";
          input.values = {{":n", 3}};
        }
        ASSERT_THAT(table_->Query(input, &page), IsOk());
      }
    }
  }
  EXPECT_GT(Hits(), 0u);
}

}  // namespace
}  // namespace dolmen
