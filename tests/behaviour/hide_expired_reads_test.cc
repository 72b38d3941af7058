// Tests of reads with hide_expired, set on the table or in the request. The request's setting takes
// precedence. Reads do not return hidden items. DynamoDB does not have hide_expired.

#include <optional>
#include <string>
#include <vector>

#include "tests/behaviour/hide_expired.h"

namespace dolmen::behaviour {
namespace {

class HideExpiredReadsTest : public HideExpiredTest {
 protected:
  // The names of the indexes whose items have the time attribute, and "" for the table itself.
  static inline const std::vector<std::string> kWithTime = {"", "ByUser", "ByUserSome", "ByRank"};
  static inline const std::vector<std::string> kKeysOnly = {"ByUserKeys", "ByRankKeys"};

  // Stores `count` items. If `prefix` is "a", the sort keys are "a0", "a1" and so on. If `expired`
  // is true, all these items have expired; otherwise none has.
  void PutSome(const std::string& prefix, int count, bool expired) const {
    for (int i = 0; i < count; ++i) {
      PutSession(prefix + std::to_string(i), In(seconds(expired ? -1 : 1000)));
    }
  }
  // Deletes the items that SetUp stored.
  void Clear() const {
    for (const char* sort : {"old", "new"}) {
      EXPECT_THAT(table().DeleteItem({.key = Key(sort), .options = {.hide_expired = false}}),
                  IsOk());
    }
  }

  void CheckQueries(const std::vector<std::string>& indexes) const {
    const std::vector<std::string> seen = Seen();
    for (const std::string& index : indexes) {
      SCOPED_TRACE(index);
      QueryInput input = Everything(index, request());
      EXPECT_EQ(SortKeys(input), seen);
      input.forward = false;
      EXPECT_EQ(SortKeys(input), std::vector<std::string>(seen.rbegin(), seen.rend()));
      input.select = Select::kCount;
      EXPECT_EQ(table().Query(input)->count(), seen.size());
      input.select = Select::kDefault;
      input.projection = "SK";  // the time attribute is not projected
      EXPECT_EQ(SortKeys(input).size(), seen.size());
    }
  }

  void CheckScans(const std::vector<std::string>& indexes) const {
    for (const std::string& index : indexes) {
      SCOPED_TRACE(index);
      const auto page = table().Scan({.index = index, .options = {.hide_expired = request()}});
      ASSERT_THAT(page, IsOk());
      EXPECT_EQ(page->count(), Seen().size());
      EXPECT_EQ(page->scanned_count(), Seen().size());
      EXPECT_EQ(page->size(), Seen().size());
      std::uint32_t in_segments = 0;
      for (std::uint32_t segment = 0; segment < 3; ++segment) {
        in_segments += table()
                           .Scan({.index = index,
                                  .segment = segment,
                                  .total_segments = 3,
                                  .options = {.hide_expired = request()}})
                           ->count();
      }
      EXPECT_EQ(in_segments, Seen().size());
    }
  }

  // A page's limit, count() and scanned_count() count only items that are not hidden.
  void CheckLimits(const std::vector<std::string>& indexes) const {
    Clear();
    PutSome("a", 7, true);
    PutSome("b", 5, false);
    PutSome("c", 7, true);
    for (const std::string& index : indexes) {
      SCOPED_TRACE(index);
      QueryInput input = Everything(index, request());
      input.limit = 3;
      auto page = table().Query(input);
      ASSERT_THAT(page, IsOk());
      EXPECT_EQ(page->count(), 3u);
      EXPECT_EQ(page->scanned_count(), 3u);
      EXPECT_EQ(page->last_evaluated_key().at("SK"), (hides() ? "b2" : "a2"));
      EXPECT_EQ(SortKeys(input).size(), hides() ? 5u : 19u);  // in pages of 3
      input.limit = 6;
      page = table().Query(input);
      ASSERT_THAT(page, IsOk());
      EXPECT_EQ(page->count(), hides() ? 5u : 6u);
      EXPECT_EQ(page->last_evaluated_key().empty(), hides());
      input.limit = 5;
      input.exact_end = true;
      EXPECT_EQ(table().Query(input)->last_evaluated_key().empty(), hides());
      const auto scanned =
          table().Scan({.index = index, .limit = 4, .options = {.hide_expired = request()}});
      ASSERT_THAT(scanned, IsOk());
      EXPECT_EQ(scanned->count(), 4u);
      EXPECT_EQ(scanned->scanned_count(), 4u);
    }
  }

  void CheckStarts(const std::vector<std::string>& indexes) const {
    Clear();
    PutSome("a", 4, false);
    PutSession("b", In(seconds(5000)));
    for (const std::string& index : indexes) {
      SCOPED_TRACE(index);
      QueryInput input = Everything(index, request());
      input.limit = 2;
      const auto first = table().Query(input);
      ASSERT_THAT(first, IsOk());
      EXPECT_EQ(first->last_evaluated_key().at("SK"), "a1");
      input.exclusive_start_key = first->last_evaluated_key();
      clock().Advance(seconds(2000));
      if (hides()) {
        EXPECT_THAT(SortKeys(input), ElementsAre("b"));
      } else {
        EXPECT_THAT(SortKeys(input), ElementsAre("a2", "a3", "b"));
      }
      clock().Advance(-seconds(2000));
    }
  }
};

// The bytes of the page itself do not count as hidden.
TEST_P(HideExpiredReadsTest, AnExactEndFollowsAPageOfAMegabyte) {
  Clear();
  PutSession("z", In(seconds(-1)));
  for (int live = 1; live <= 12; ++live) {
    Item large = Session("a" + std::to_string(live), In(seconds(1000)));
    large["body"] = std::string(100'000, 'x');
    ASSERT_THAT(table().PutItem({.item = large}), IsOk());
    QueryInput input = Everything("", request());
    input.exact_end = true;
    std::uint32_t count = 0;
    do {
      const auto page = table().Query(input);
      ASSERT_THAT(page, IsOk());
      EXPECT_GT(page->count(), 0u) << live;
      count += page->count();
      input.exclusive_start_key = page->last_evaluated_key();
    } while (!input.exclusive_start_key.empty());
    EXPECT_EQ(count, static_cast<std::uint32_t>(live + (hides() ? 0 : 1)));
  }
}

TEST_P(HideExpiredReadsTest, GetItemReturnsNothingForAHiddenItem) {
  const auto get = [&](const std::string& sort, const std::string& projection) {
    GetItemInput input{.key = Key(sort), .options = {.hide_expired = request()}};
    if (!projection.empty()) input.projection = projection;
    const auto got = table().GetItem(input);
    EXPECT_THAT(got, IsOk());
    return got.ok() && got->item;
  };
  for (const char* projection : {"", "n", "expires", "nothing"}) {
    EXPECT_TRUE(get("new", projection)) << projection;
    EXPECT_EQ(get("old", projection), !hides()) << projection;
  }
  GetItemOutput reused;
  ASSERT_THAT(table().GetItem({.key = Key("new"), .options = {.hide_expired = request()}}, &reused),
              IsOk());
  ASSERT_THAT(table().GetItem({.key = Key("old"), .options = {.hide_expired = request()}}, &reused),
              IsOk());
  EXPECT_EQ(reused.item.has_value(), !hides());
}

TEST_P(HideExpiredReadsTest, QueryLeavesOutHiddenItems) { CheckQueries(kWithTime); }
TEST_P(HideExpiredReadsTest, KeysOnlyQueryLeavesOutHiddenItems) { CheckQueries(kKeysOnly); }

TEST_P(HideExpiredReadsTest, QueryOfASortKeyRangeLeavesOutHiddenItems) {
  const auto count = [&](const SortKeyCondition& sort) {
    const auto page = table().Query(
        {.key_condition = Partition("p", sort), .options = {.hide_expired = request()}});
    EXPECT_THAT(page, IsOk());
    return page.ok() ? page->count() : 0;
  };
  const std::uint32_t old_ones = hides() ? 0 : 1;
  EXPECT_EQ(count(Equal("old")), old_ones);
  EXPECT_EQ(count(BeginsWith("o")), old_ones);
  EXPECT_EQ(count(GreaterOrEqual("new")), old_ones + 1);
  EXPECT_EQ(count(Equal("new")), 1u);
}

TEST_P(HideExpiredReadsTest, QueryOfSeveralPartitionsLeavesOutHiddenItems) {
  for (const char* partition : {"q1", "q2"}) {
    for (const int expires : {-1, 1000}) {
      Put({{"PK", partition},
           {"SK", std::string(partition) + (expires < 0 ? " old" : " new")},
           {"expires", In(seconds(expires))}});
    }
  }
  const QueryInput input{.key_condition = Partitions({"q1", "q2"}),
                         .options = {.hide_expired = request()}};
  if (hides()) {
    EXPECT_THAT(SortKeys(input), ElementsAre("q1 new", "q2 new"));
  } else {
    EXPECT_THAT(SortKeys(input), ElementsAre("q1 new", "q1 old", "q2 new", "q2 old"));
  }
}

TEST_P(HideExpiredReadsTest, ScanLeavesOutHiddenItems) { CheckScans(kWithTime); }
TEST_P(HideExpiredReadsTest, KeysOnlyScanLeavesOutHiddenItems) { CheckScans(kKeysOnly); }

TEST_P(HideExpiredReadsTest, BatchGetItemLeavesOutHiddenItems) {
  const auto batch =
      database().BatchGetItem({.requests = {{.table = table(),
                                             .keys = {Key("new"), Key("old")},
                                             .projection = "SK",
                                             .options = {.hide_expired = request()}}}});
  ASSERT_THAT(batch, IsOk());
  ASSERT_EQ(batch->responses.size(), 1u);
  EXPECT_EQ(batch->responses[0].size(), Seen().size());
  EXPECT_THAT(batch->unprocessed_keys, IsEmpty());
}

TEST_P(HideExpiredReadsTest, TransactGetItemsReturnsNothingForHiddenItems) {
  PutSession("other", In(seconds(-1)));
  const auto got = database().TransactGetItems(
      {.items = {{.table = table(), .key = Key("old"), .options = {.hide_expired = request()}},
                 {.table = table(), .key = Key("new"), .options = {.hide_expired = request()}},
                 {.table = table(), .key = Key("other"), .options = {.hide_expired = !hides()}}}});
  ASSERT_THAT(got, IsOk());
  ASSERT_EQ(got->items.size(), 3u);
  EXPECT_EQ(got->items[0].has_value(), !hides());
  EXPECT_TRUE(got->items[1].has_value());
  EXPECT_EQ(got->items[2].has_value(), hides());
}

TEST_P(HideExpiredReadsTest, APartOverridesTheSettingOfItsBatch) {
  const auto batch = database().BatchGetItem(
      {.requests = {{.table = table(), .keys = {Key("old")}},
                    {.table = table(), .keys = {Key("new")}, .options = {.hide_expired = true}}},
       .options = {.hide_expired = request()}});
  ASSERT_THAT(batch, IsOk());
  ASSERT_EQ(batch->responses.size(), 2u);
  EXPECT_EQ(batch->responses[0].size(), hides() ? 0u : 1u);
  EXPECT_EQ(batch->responses[1].size(), 1u);
  for (const bool hide : {false, true}) {
    const auto part = database().BatchGetItem(
        {.requests = {{.table = table(), .keys = {Key("old")}, .options = {.hide_expired = hide}}},
         .options = {.hide_expired = request()}});
    ASSERT_THAT(part, IsOk());
    EXPECT_EQ(part->responses.at(0).empty(), hide);
  }
}

TEST_P(HideExpiredReadsTest, APartOverridesTheSettingOfItsTransaction) {
  for (const std::optional<bool> part : {std::optional<bool>(), {false}, {true}}) {
    const auto got = database().TransactGetItems(
        {.items = {{.table = table(), .key = Key("old"), .options = {.hide_expired = part}}},
         .options = {.hide_expired = request()}});
    ASSERT_THAT(got, IsOk());
    EXPECT_EQ(got->items.at(0).has_value(), !part.value_or(hides()));
  }
}

TEST_P(HideExpiredReadsTest, LimitsAndCountsLeaveOutHiddenItems) { CheckLimits(kWithTime); }
TEST_P(HideExpiredReadsTest, KeysOnlyLimitsAndCountsLeaveOutHiddenItems) { CheckLimits(kKeysOnly); }

TEST_P(HideExpiredReadsTest, FiltersAreNotAppliedToHiddenItems) {
  Clear();
  PutSome("a", 4, true);
  PutSome("b", 2, false);
  QueryInput input = Everything("", request());
  input.filter = "attribute_exists(expires) AND #rank <> :b1";
  input.names = {{"#rank", "rank"}};
  input.values = {{":b1", "rb1"}};
  const auto page = table().Query(input);
  ASSERT_THAT(page, IsOk());
  EXPECT_EQ(page->count(), hides() ? 1u : 5u);
  EXPECT_EQ(page->scanned_count(), hides() ? 2u : 6u);
}

TEST_P(HideExpiredReadsTest, APageMayStartAfterAnItemThatHasExpiredSince) {
  CheckStarts(kWithTime);
}
TEST_P(HideExpiredReadsTest, KeysOnlyAPageMayStartAfterAnItemThatHasExpiredSince) {
  CheckStarts(kKeysOnly);
}

// A hidden item is read before it is left out of the result, so it consumes capacity.
TEST_P(HideExpiredReadsTest, HiddenItemsConsumeReadCapacity) {
  const auto units = [&](const std::optional<bool>& hide_expired, QueryInput input) {
    input.options.hide_expired = hide_expired;
    input.options.return_consumed_capacity = ReturnConsumedCapacity::kTotal;
    const auto page = table().Query(input);
    EXPECT_THAT(page, IsOk());
    return page.ok() ? page->consumed_capacity()->total.read_units : -1;
  };
  Item big = Session("old", In(seconds(-1)));
  big.emplace("body", std::string(50'000, 'x'));
  Put(big);
  for (const char* index : {"", "ByUser", "ByUserSome", "ByRank"}) {
    const double shown = units(false, Everything(index));
    EXPECT_EQ(units(request(), Everything(index)), shown) << index;
  }
}

TEST_P(HideExpiredReadsTest, HiddenItemsCountTowardsTheMegabyteOfAPage) {
  Clear();
  for (const char* sort : {"a", "b", "c", "d", "e", "f", "g", "h"}) {
    Item big = Session(sort, In(seconds(-1)));
    big.emplace("body", std::string(190'000, 'x'));  // the local index has a second copy
    Put(big);
  }
  PutSession("i", In(seconds(1000)));
  for (const char* index : {"", "ByUser", "ByRank"}) {
    SCOPED_TRACE(index);
    const QueryInput input = Everything(index, request());
    const auto page = table().Query(input);
    ASSERT_THAT(page, IsOk());
    EXPECT_FALSE(page->last_evaluated_key().empty());
    EXPECT_EQ(page->count() == 0, hides());
    EXPECT_EQ(SortKeys(input).size(), hides() ? 1u : 9u);
  }
}

INSTANTIATE_TEST_SUITE_P(Hiding, HideExpiredReadsTest, EachHiding(), NameOf);

class HideNothingTest : public ExpiringTableTest {};

// No item expires if the time to live of the table is disabled, so hide_expired has no effect.
TEST_F(HideNothingTest, NoItemIsHiddenIfTimeToLiveIsDisabled) {
  PutSession("a", In(seconds(-1)));
  EXPECT_TRUE(table().GetItem({.key = Key("a"), .options = {.hide_expired = true}})->item);
  for (const std::string& index : kEverywhere) {
    EXPECT_THAT(SortKeys(Everything(index, true)), ElementsAre("a")) << index;
  }
  EXPECT_EQ(table()
                .PutItem({.item = Key("a"),
                          .condition = "attribute_not_exists(PK)",
                          .options = {.hide_expired = true}})
                .status()
                .code(),
            StatusCode::kConditionalCheckFailed);
}

}  // namespace
}  // namespace dolmen::behaviour
