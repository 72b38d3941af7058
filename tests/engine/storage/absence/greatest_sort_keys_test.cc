// Tests of the marks that tell that a row is above all rows of its kind.

#include "engine/storage/absence/greatest_sort_keys.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "dolmen/number.h"
#include "tests/engine/keyspaces.h"
#include "tests/support/random.h"

namespace dolmen::engine {
namespace {

class GreatestSortKeysTest : public test::SeededTest {
 protected:
  static std::optional<GreatestSortKeys::Row> RowOf(const EncodedKey& key) {
    return GreatestSortKeys::RowOf(key.bytes());
  }
  // Adds a row to the set.
  static void Add(const EncodedKey& key, GreatestSortKeys* rows) {
    if (const auto row = RowOf(key)) rows->Add(*row);
  }
  static bool IsAbove(const EncodedKey& key, const GreatestSortKeys& rows) {
    const auto row = RowOf(key);
    return row && rows.IsAbove(*row);
  }

  // Adds a row of one partition.
  void Add(const std::string& sort) { Add(RowKey(kTable, {"chat#1", sort}), &rows_); }
  // Returns true if the row of another partition is above its mark.
  bool IsAbove(const std::string& sort) const {
    return IsAbove(RowKey(kTable, {"chat#2", sort}), rows_);
  }

  GreatestSortKeys rows_;
};

TEST_F(GreatestSortKeysTest, EveryRowIsAboveNoRows) {
  EXPECT_TRUE(IsAbove("MSG#1"));
  EXPECT_TRUE(IsAbove("2026-11-27"));
}

TEST_F(GreatestSortKeysTest, ANewerRowIsAboveTheRowsOfAllPartitions) {
  Add("MSG#2");
  EXPECT_FALSE(IsAbove("MSG#1"));
  EXPECT_FALSE(IsAbove("MSG#2"));
  EXPECT_TRUE(IsAbove("MSG#20"));
  EXPECT_TRUE(IsAbove("MSG#3"));
}

TEST_F(GreatestSortKeysTest, AKindEndsWithItsNumberSign) {
  Add("PARTICIPANT#9");
  EXPECT_TRUE(IsAbove("MSG#1"));
  EXPECT_FALSE(IsAbove("PARTICIPANT#1"));
  EXPECT_TRUE(IsAbove(RowKey(KeyspaceId{18}, {"chat#1", "PARTICIPANT#1"}), rows_)) << "a table";
}

TEST_F(GreatestSortKeysTest, RowsWithADigitBeforeTheNumberSignAreOfOneKind) {
  Add("2026-11-27#b");
  EXPECT_FALSE(IsAbove("2026-11-26#c"));
  EXPECT_TRUE(IsAbove("2026-11-28#a"));
}

TEST_F(GreatestSortKeysTest, OnlyTheFirst48BytesOfASortKeyAreCompared) {
  const std::string begin(47, 'x');
  Add(begin + "a");
  EXPECT_FALSE(IsAbove(begin + "ab"));
  EXPECT_FALSE(IsAbove(begin));
  EXPECT_TRUE(IsAbove(begin + "b"));
}

TEST_F(GreatestSortKeysTest, SomeRowsHaveNoMark) {
  EXPECT_FALSE(RowOf(RowKey(kTable, {"chat#1", ""})));
  EXPECT_FALSE(RowOf(RowKey(kTable, {"chat#1", std::string("a\0b", 3)})));
  EXPECT_FALSE(RowOf(RowKey(kTable, {"user#1"})));
  EXPECT_FALSE(RowOf(IndexEntryKey(kFirstIndex, {"u", "c"}, {"a", "x"})));
  EXPECT_FALSE(RowOf(IndexEntryKey(kFirstIndex, {"u"}, {"a"})));
  EXPECT_FALSE(RowOf(EncodedKey(kTable)));
  EXPECT_FALSE(RowOf(EncodedKey()));
}

// Otherwise one table with such sort keys would raise the marks of all tables.
TEST_F(GreatestSortKeysTest, ATableWithManyKindsRaisesNoMarkOfAnotherTable) {
  for (int i = 0; i < 10'000; ++i) {
    const std::string name = "z" + std::string(1, static_cast<char>('a' + i % 26)) +
                             std::string(1, static_cast<char>('a' + i / 26 % 26)) + "#";
    Add(RowKey(KeyspaceId{17}, {"a", name}), &rows_);
  }
  EXPECT_FALSE(IsAbove(RowKey(KeyspaceId{17}, {"a", "MSG#1"}), rows_));
  EXPECT_TRUE(IsAbove("MSG#1"));
}

TEST_F(GreatestSortKeysTest, NumbersAreOfOneKind) {
  for (int i = 0; i < 10'000; ++i) {
    const Number time(1'790'000'000'000 + 997 * i);
    Add(RowKey(kTable, {"a", time.encoded()}), &rows_);
  }
  int above = 0;
  for (const char* kind : {"MSG#", "ORDER#", "PARTICIPANT#", "EVENT#"}) above += IsAbove(kind);
  EXPECT_GE(above, 3);
}

TEST_F(GreatestSortKeysTest, BytesAreComparedWithoutASign) {
  Add("\x7f");
  EXPECT_TRUE(IsAbove("\xc1"));
  Add("\xc1");
  EXPECT_FALSE(IsAbove("\x7f"));
}

TEST_F(GreatestSortKeysTest, TheMarksOfTwoSetsAreAddedByTheirBytes) {
  Add("MSG#5");
  Add("ORDER#2");
  GreatestSortKeys other;
  Add(RowKey(kTable, {"chat#1", "MSG#3"}), &other);
  Add(RowKey(kTable, {"chat#1", "ORDER#7"}), &other);
  ASSERT_TRUE(rows_.AddEncoded(other.Encode()));
  EXPECT_FALSE(IsAbove("MSG#5"));
  EXPECT_TRUE(IsAbove("MSG#6"));
  EXPECT_FALSE(IsAbove("ORDER#7"));
  EXPECT_TRUE(IsAbove("ORDER#8"));
}

TEST_F(GreatestSortKeysTest, BytesOfADifferentFormAreRefused) {
  Add("MSG#5");
  const std::string bytes = rows_.Encode();
  EXPECT_EQ(bytes.size(), 3 + 5u);
  const auto is_accepted = [](const std::string& encoded) {
    return GreatestSortKeys().AddEncoded(encoded);
  };
  for (std::size_t size = 1; size < bytes.size(); ++size) {
    EXPECT_FALSE(is_accepted(bytes.substr(0, size)));
  }
  EXPECT_FALSE(is_accepted("\x20\x01\x01x")) << "no group has the number 32";
  EXPECT_FALSE(is_accepted(std::string("\x01\x01\x00", 3))) << "a mark is not empty";
  EXPECT_FALSE(is_accepted("\x01\x01\x31" + std::string(49, 'x'))) << "a mark has 48 bytes";
  EXPECT_TRUE(is_accepted(""));
}

TEST_F(GreatestSortKeysTest, ARowOfTheSetIsNeverAbove) {
  const std::vector<std::string> begins = {"",          "M",    "MSG#",
                                           "MSG#2026-", "\xff", std::string(46, 'a')};
  std::set<EncodedKey> added;
  auto rows = std::make_unique<GreatestSortKeys>();
  for (std::size_t step = 0; step < test::TestSteps(20'000); ++step) {
    std::string sort = random_.Pick(begins);
    while (!random_.OneIn(4)) sort.push_back("#09az\x80\xff"[random_.Below(7)]);
    const std::string partition = std::to_string(random_.Below(3));
    const EncodedKey row = RowKey(random_.OneIn(2) ? kTable : kFirstIndex, {partition, sort});
    if (added.contains(row)) {
      ASSERT_FALSE(IsAbove(row, *rows)) << sort;
    }
    added.insert(row);
    Add(row, rows.get());
    if (random_.OneIn(100)) {
      auto read = std::make_unique<GreatestSortKeys>();
      ASSERT_TRUE(read->AddEncoded(rows->Encode()));
      rows = std::move(read);
    }
  }
}

}  // namespace
}  // namespace dolmen::engine
