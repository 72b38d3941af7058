// Tests of stretches and of sets of stretches. After random changes they hold the same rows as a
// map.

#include "engine/storage/cache/stretch.h"

#include <gmock/gmock.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engine/storage/cache/stretch_set.h"
#include "tests/support/random.h"

namespace dolmen::engine {
namespace {

using Rows = std::map<std::string, std::string>;

std::vector<CachedRow> RowsIn(const Rows& rows, const KnownRange& range) {
  std::vector<CachedRow> found;
  for (const auto& [key, value] : rows) {
    if (range.Contains(key)) found.push_back({key, value});
  }
  return found;
}

Rows RowsOf(const Stretch& stretch) {
  Rows rows;
  for (RowPosition at = stretch.begin(); at != stretch.end(); stretch.Next(&at)) {
    rows.emplace(stretch.key(at), stretch.value(at));
  }
  return rows;
}

Rows RowsOf(const std::vector<CachedRow>& rows) {
  Rows copies;
  for (const CachedRow& row : rows) copies.emplace(row.key, row.value);
  return copies;
}

class StretchTest : public test::SeededTest {
 protected:
  std::string RandomKey() {
    std::string key;
    for (std::size_t size = random_.Below(3) + 1; size > 0; --size) {
      key += static_cast<char>('a' + random_.Below(8));
    }
    return key;
  }
  std::string RandomValue() { return std::string(random_.Below(500), 'v') + RandomKey(); }

  KnownRange RandomRange() {
    KnownRange range{random_.OneIn(4) ? "" : RandomKey(), std::nullopt};
    if (random_.OneIn(4)) return range;
    range.upper = RandomKey();
    if (*range.upper < range.lower) std::swap(*range.upper, range.lower);
    return range;
  }

  // Puts or deletes a random row.
  std::pair<std::string, std::optional<std::string>> Change(Rows* rows) {
    const std::string key = RandomKey();
    if (random_.OneIn(3)) {
      rows->erase(key);
      return {key, std::nullopt};
    }
    return {key, (*rows)[key] = RandomValue()};
  }
};

TEST_F(StretchTest, AWriteChangesOneRow) {
  for (std::size_t i = 0; i < 10 && !HasFailure(); ++i) {
    Rows rows;
    StretchRef stretch = Stretch::Make({"", std::nullopt}, {});
    for (std::size_t k = 0; k < 200; ++k) {
      const Rows before = RowsOf(*stretch);
      const StretchRef old = stretch;
      const auto [key, value] = Change(&rows);
      stretch = stretch->WithRow(key, value);
      ASSERT_EQ(RowsOf(*stretch), rows);
      ASSERT_EQ(RowsOf(*old), before) << "the old stretch has changed";
      const std::string other = RandomKey();
      const auto found = stretch->Find(other);
      ASSERT_EQ(found.has_value(), rows.contains(other));
      if (found) {
        ASSERT_EQ(*found, rows[other]);
      }
    }
  }
}

// Readers may still use each of the versions, and a change of any of them makes another one.
TEST_F(StretchTest, AChangeLeavesAllOtherVersionsAsTheyAre) {
  struct Version {
    StretchRef stretch;
    Rows rows;
  };
  std::vector<Version> versions = {{Stretch::Make({"", std::nullopt}, {}), {}}};
  for (std::size_t i = 0; i < test::TestSteps(1500); ++i) {
    Version next =
        versions[random_.OneIn(8) ? random_.Below(versions.size()) : versions.size() - 1];
    std::pair<std::string, std::optional<std::string>> change;
    if (random_.OneIn(5)) {
      change = Change(&next.rows);
    } else {
      // A key behind all others, with a value that can be larger than a block.
      change = {"z" + std::to_string(100000 + i),
                random_.OneIn(50) ? std::string(6000, 'v') : RandomValue()};
      next.rows[change.first] = *change.second;
    }
    next.stretch = next.stretch->WithRow(change.first, change.second);
    versions.push_back(std::move(next));
  }
  for (const Version& version : versions) {
    ASSERT_EQ(RowsOf(*version.stretch), version.rows);
    for (const auto& [key, value] : version.rows) ASSERT_EQ(version.stretch->Find(key), value);
    ASSERT_EQ(version.stretch->Find("zz"), std::nullopt);
  }
}

TEST_F(StretchTest, ARowBehindTheLastOneIsWrittenIntoTheLastBlock) {
  Rows rows;
  for (int i = 0; i < 40; ++i) rows["k" + std::to_string(100 + i)] = "value";
  StretchRef stretch = Stretch::Make({"", {}}, RowsIn(rows, {"", {}}));
  const auto last_block = [](const StretchRef& of) {
    RowPosition last = of->end();
    of->Previous(&last);
    return &of->block(last);
  };
  std::size_t new_blocks = 0;
  for (int i = 40; i < 240; ++i) {
    const StretchRef old = stretch;
    stretch = old->WithRow("k" + std::to_string(100 + i), "value");
    if (last_block(stretch) != last_block(old)) ++new_blocks;
  }
  EXPECT_LE(new_blocks, 200 / RowBlock::kRowsMax + 2);
}

// A block with room gets another block behind it, which a deletion removes. A new row must not get into the
// room, because an older version has all rows of this block.
TEST_F(StretchTest, ABlockThatIsLastAgainGetsNoRows) {
  using Change = std::pair<std::string, std::optional<std::string>>;
  const std::string large(3000, 'v');
  std::vector<Change> changes;
  for (const char* key : {"a", "b", "c", "d", "e", "f"}) changes.emplace_back(key, large);
  changes.insert(changes.end(), {Change{"f", std::nullopt}, Change{"g", "small"}});
  std::vector<StretchRef> versions = {Stretch::Make({"", {}}, {})};
  std::vector<Rows> rows = {{}};
  for (const auto& [key, value] : changes) {
    versions.push_back(versions.back()->WithRow(key, value));
    rows.push_back(rows.back());
    if (value) {
      rows.back()[key] = *value;
    } else {
      rows.back().erase(key);
    }
  }
  for (std::size_t i = 0; i < versions.size(); ++i) EXPECT_EQ(RowsOf(*versions[i]), rows[i]) << i;
}

TEST_F(StretchTest, AStretchWithFewRowsHasLittleRoom) {
  StretchRef stretch = Stretch::Make({"", {}}, {});
  for (const char* key : {"a", "b", "c"}) stretch = stretch->WithRow(key, std::string(100, 'v'));
  EXPECT_LT(stretch->bytes(), 1200u);
}

TEST_F(StretchTest, PreviousVisitsTheRowsInReverseOrder) {
  Rows rows;
  for (int i = 0; i < 200; ++i) rows[RandomKey()] = RandomValue();
  const StretchRef stretch = Stretch::Make({"", {}}, RowsIn(rows, {"", {}}));
  Rows reverse;
  std::string last;
  for (RowPosition at = stretch->end(); at != stretch->begin();) {
    stretch->Previous(&at);
    ASSERT_TRUE(last.empty() || stretch->key(at) < last);
    last = stretch->key(at);
    reverse.emplace(stretch->key(at), stretch->value(at));
  }
  EXPECT_EQ(reverse, rows);
}

// The set is compared with the rows of the store: each of its stretches must hold exactly the rows
// of its range.
TEST_F(StretchTest, ASetHoldsTheRowsOfItsRanges) {
  Rows rows;
  for (int i = 0; i < 200; ++i) rows[RandomKey()] = RandomValue();
  auto set = std::make_shared<const StretchSet>();
  for (std::size_t i = 0; i < test::TestSteps(1000); ++i) {
    if (random_.OneIn(3)) {
      const KnownRange range = RandomRange();
      const std::size_t bytes_max = random_.OneIn(10) ? 2000 : 1 << 20;
      set = set->WithStretch(Stretch::Make(range, RowsIn(rows, range)), bytes_max);
      const Stretch* const added = set->Find(range.lower);
      const bool is_empty = range.upper && *range.upper <= range.lower;
      ASSERT_TRUE(is_empty || (added != nullptr && added->range().Contains(range.lower)));
    } else {
      const auto [key, value] = Change(&rows);
      if (StretchSetRef changed = set->WithRow(key, value)) set = std::move(changed);
    }
    const std::string key = RandomKey();
    for (const Stretch* stretch : {set->Find(key), set->FindBefore(key), set->FindBefore({})}) {
      if (stretch == nullptr) continue;
      ASSERT_EQ(RowsOf(*stretch), RowsOf(RowsIn(rows, stretch->range())));
    }
    if (const Stretch* const found = set->Find(key)) {
      ASSERT_TRUE(found->range().Contains(key));
    }
    if (const Stretch* const before = set->FindBefore(key)) {
      ASSERT_TRUE(before->range().lower < key && before->range().ReachesTo(key));
    }
  }
}

TEST(StretchSetTest, NeighboursAreJoinedIntoOneStretch) {
  const Rows rows{{"a", "1"}, {"c", "2"}, {"e", "3"}};
  const KnownRange left{"a", "c"};
  const KnownRange right{"c", std::nullopt};
  auto set = StretchSet().WithStretch(Stretch::Make(left, RowsIn(rows, left)), 10'000);
  set = set->WithStretch(Stretch::Make(right, RowsIn(rows, right)), 10'000);
  const Stretch* const joined = set->Find("b");
  ASSERT_NE(joined, nullptr);
  EXPECT_EQ(joined, set->Find("z"));
  EXPECT_EQ(RowsOf(*joined), rows);
  EXPECT_EQ(set->Find("A"), nullptr);
}

}  // namespace
}  // namespace dolmen::engine
