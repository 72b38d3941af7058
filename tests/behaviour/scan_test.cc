// Tests of Scan, which reads a whole table or index in pages and in segments.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Scan.html

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/behaviour/fixture.h"

namespace dolmen::behaviour {
namespace {

constexpr int kPartitions = 20;
constexpr int kItemsPerPartition = 15;

std::string PartitionKey(int i) { return "p" + std::to_string(i); }

class ScanTest : public testing::Test {
 protected:
  void SetUp() override {
    auto table =
        db_->CreateTable({.name = "scan",
                          .global_secondary_indexes = {{.name = "odd",
                                                        .partition_key = {{.name = "odd"}},
                                                        .sort_key = {{"n", AttributeType::kN}},
                                                        .projection = ProjectionType::kKeysOnly}}});
    ASSERT_THAT(table, IsOk());
    table_ = *table;
    for (int p = 0; p < kPartitions; ++p) {
      for (int i = 0; i < kItemsPerPartition; ++i) {
        Item item{{"PK", PartitionKey(p)}, {"SK", std::to_string(100 + i)}, {"n", i}, {"x", "y"}};
        if (i % 2 == 1) item.emplace("odd", PartitionKey(p));
        ASSERT_THAT(table_->PutItem({.item = item}), IsOk());
      }
    }
  }

  // Returns the key of each item on all pages, for example "p3/104".
  std::vector<std::string> Keys(const ScanInput& input) {
    std::vector<std::string> keys;
    test::VisitItems(*table_, input, [&](ItemView item) {
      keys.push_back(std::string(*item["PK"].AsString()) + "/" +
                     std::string(*item["SK"].AsString()));
    });
    return keys;
  }

  Status Refusal(const ScanInput& input) { return table_->Scan(input).status(); }

  Result<Database> db_ = Database::InMemory();
  std::optional<Table> table_;
};

constexpr std::size_t kAll = kPartitions * kItemsPerPartition;

TEST_F(ScanTest, ReturnsEveryItemOnce) {
  for (const std::optional<std::uint32_t> limit : {std::optional<std::uint32_t>(), {1}, {7}}) {
    std::vector<std::string> keys = Keys({.limit = limit});
    EXPECT_EQ(keys.size(), kAll);
    std::sort(keys.begin(), keys.end());
    EXPECT_EQ(std::unique(keys.begin(), keys.end()), keys.end());
  }
}

// The items of a partition follow each other in the order of their sort keys.
TEST_F(ScanTest, KeepsPartitionsTogether) {
  const std::vector<std::string> keys = Keys({});
  for (std::size_t i = 0; i < keys.size(); i += kItemsPerPartition) {
    const std::string partition = keys[i].substr(0, keys[i].find('/'));
    for (int k = 0; k < kItemsPerPartition; ++k) {
      EXPECT_EQ(keys[i + static_cast<std::size_t>(k)], partition + "/" + std::to_string(100 + k));
    }
  }
}

// The limit counts items before the filter. A page may be empty and have a LastEvaluatedKey.
TEST_F(ScanTest, FiltersAfterTheLimit) {
  const auto page =
      table_->Scan({.filter = "n > :n", .values = {{":n", kItemsPerPartition}}, .limit = 5});
  ASSERT_THAT(page, IsOk());
  EXPECT_EQ(page->count(), 0u);
  EXPECT_EQ(page->scanned_count(), 5u);
  EXPECT_FALSE(page->last_evaluated_key().empty());
}

// A Scan may filter by the key; a Query must not.
TEST_F(ScanTest, MayFilterByTheKey) {
  EXPECT_EQ(Keys({.filter = "PK = :p", .values = {{":p", "p7"}}}).size(),
            std::size_t{kItemsPerPartition});
}

TEST_F(ScanTest, ProjectsAttributesAndCountsWithoutItems) {
  const auto page = table_->Scan({.projection = "x", .limit = 1});
  ASSERT_THAT(page, IsOk());
  EXPECT_EQ((*page)[0].ToString(), "{x: \"y\"}");
  const auto count = table_->Scan({.select = Select::kCount});
  ASSERT_THAT(count, IsOk());
  EXPECT_EQ(count->count(), kAll);
  EXPECT_EQ(count->size(), 0u);
}

TEST_F(ScanTest, AScanOfAnIndexReturnsItsItemsWithProjectedAttributes) {
  EXPECT_EQ(Keys({.index = "odd"}).size(), std::size_t{kPartitions * (kItemsPerPartition / 2)});
  const auto page = table_->Scan({.index = "odd", .limit = 1});
  ASSERT_THAT(page, IsOk());
  EXPECT_FALSE((*page)[0]["x"].exists());
  EXPECT_EQ(page->last_evaluated_key().size(), 4u);  // the index key and the table key
}

// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Scan.html#Scan.ParallelScan
TEST_F(ScanTest, TheSegmentsTogetherReturnEveryItemOnce) {
  for (const std::string index : {"", "odd"}) {
    const std::vector<std::string> whole = Keys({.index = index});
    for (const std::uint32_t total : {1u, 2u, 3u, 7u, 1'000'000u}) {
      std::vector<std::string> keys;
      for (std::uint32_t segment = 0; segment < std::min(total, 50u); ++segment) {
        for (std::string& key :
             Keys({.index = index, .limit = 4, .segment = segment, .total_segments = total})) {
          keys.push_back(std::move(key));
        }
      }
      if (total > 50) continue;  // most of the many segments are empty
      EXPECT_THAT(keys, testing::UnorderedElementsAreArray(whole)) << index << " of " << total;
    }
  }
}

TEST_F(ScanTest, ASegmentHasWholePartitions) {
  for (std::uint32_t segment = 0; segment < 3; ++segment) {
    const std::vector<std::string> keys = Keys({.segment = segment, .total_segments = 3});
    EXPECT_EQ(keys.size() % kItemsPerPartition, 0u);
    EXPECT_LT(keys.size(), kAll);
  }
}

// The partition key of an item alone decides its segment.
TEST_F(ScanTest, WritesDoNotMovePartitionsBetweenSegments) {
  const auto of_segment = [&](std::uint32_t segment) {
    return Keys({.filter = "attribute_exists(x)", .segment = segment, .total_segments = 4});
  };
  const std::vector<std::string> before = of_segment(2);
  for (int i = 0; i < 100; ++i) {
    ASSERT_THAT(table_->PutItem({.item = {{"PK", "q" + std::to_string(i)}, {"SK", "s"}}}), IsOk());
  }
  EXPECT_EQ(of_segment(2), before);
}

TEST_F(ScanTest, RejectsInvalidSegments) {
  EXPECT_THAT(Refusal({.segment = 0}),
              StatusIs(kValidation,
                       "The TotalSegments parameter is required but was not present in the request "
                       "when Segment parameter is present"));
  EXPECT_THAT(Refusal({.total_segments = 3}),
              StatusIs(kValidation,
                       "The Segment parameter is required but was not present in the request when "
                       "parameter TotalSegments is present"));
  EXPECT_THAT(Refusal({.segment = 3, .total_segments = 3}),
              StatusIs(kValidation,
                       "The Segment parameter is zero-based and must be less than parameter "
                       "TotalSegments: Segment: 3 is not less than TotalSegments: 3"));
  EXPECT_THAT(Refusal({.segment = 0, .total_segments = 0}),
              StatusIs(kValidation, HasSubstr("greater than or equal to 1")));
  EXPECT_THAT(Refusal({.segment = 0, .total_segments = 1'000'001}),
              StatusIs(kValidation, HasSubstr("less than or equal to 1000000")));
}

TEST_F(ScanTest, RejectsInvalidStartKeys) {
  const auto start = [&](Item key) { return Refusal({.exclusive_start_key = std::move(key)}); };
  const std::string mismatch =
      "The provided starting key is invalid: The provided key element does not match the schema";
  EXPECT_THAT(start({{"PK", "p"}}), StatusIs(kValidation, mismatch));
  EXPECT_THAT(start({{"PK", "p"}, {"SK", 1}}), StatusIs(kValidation, mismatch));
  EXPECT_THAT(Refusal({.index = "odd", .exclusive_start_key = {{"PK", "p"}, {"SK", "s"}}}),
              StatusIs(kValidation, "The provided starting key is invalid"));

  // A start key belongs to one of the two segments. A Scan of the other segment rejects the start
  // key.
  const auto in = [&](std::uint32_t segment) {
    return Refusal({.exclusive_start_key = {{"PK", "p"}, {"SK", "s"}},
                    .segment = segment,
                    .total_segments = 2});
  };
  EXPECT_NE(in(0).ok(), in(1).ok());
  const Status wrong = in(0).ok() ? in(1) : in(0);
  EXPECT_THAT(
      wrong, StatusIs(kValidation, HasSubstr("The provided starting key is invalid: Invalid "
                                             "ExclusiveStartKey. Please use ExclusiveStartKey with "
                                             "correct Segment. TotalSegments: 2 Segment: ")));
}

TEST_F(ScanTest, RefusesLimitZeroAndUnknownIndexes) {
  EXPECT_THAT(Refusal({.limit = 0}), StatusIs(kValidation, HasSubstr("Value '0' at 'limit'")));
  EXPECT_THAT(Refusal({.index = "none"}),
              StatusIs(kValidation, "The table does not have the specified index: none"));
}

// A page ends with the item that brings the size of the page to 1 MB or more.
TEST_F(ScanTest, EndsAPageAtOneMegabyte) {
  const auto large = db_->CreateTable({.name = "large"});
  ASSERT_THAT(large, IsOk());
  for (int i = 0; i < 5; ++i) {
    ASSERT_THAT(large->PutItem({.item = {{"PK", std::to_string(i)},
                                         {"SK", "s"},
                                         {"filler", std::string(300 << 10, 'x')}}}),
                IsOk());
  }
  const auto page = large->Scan({});
  ASSERT_THAT(page, IsOk());
  EXPECT_EQ(page->count(), 4u);
  EXPECT_FALSE(page->last_evaluated_key().empty());
}

}  // namespace
}  // namespace dolmen::behaviour
