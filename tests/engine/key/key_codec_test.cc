// Tests of keys and key ranges. Partitions are contiguous, and the range of each operator contains
// exactly the keys that fulfil the condition.

#include "engine/key/key_codec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/engine/keyspaces.h"

namespace dolmen::engine {
namespace {

using namespace std::string_view_literals;
using Operator = SortKeyCondition::Operator;

// Returns strings that cover every edge case of the escaping, in byte order.
const std::vector<std::string_view>& Edges() {
  static const std::vector<std::string_view> edges = {
      "\0"sv,    "\0\0"sv,  "\0\1"sv,  "\0\xff"sv,    "\1"sv,       "\1\0"sv, "a"sv,
      "a\0"sv,   "a\0\0"sv, "a\0\1"sv, "a\0\2"sv,     "a\0\xff"sv,  "a\1"sv,  "aa"sv,
      "a\xff"sv, "b"sv,     "b\xff"sv, "b\xff\xff"sv, "\xc3\xa9"sv, "\xff"sv, "\xff\xff"sv,
  };
  return edges;
}

EncodedKey Row(std::string_view partition, std::string_view sort) {
  return RowKey(kTable, {partition, sort});
}

TEST(KeyCodecTest, KeysSortByPartitionThenSort) {
  for (std::size_t p = 0; p < Edges().size(); ++p) {
    for (std::size_t q = 0; q < Edges().size(); ++q) {
      for (const std::string_view s : Edges()) {
        for (const std::string_view t : Edges()) {
          const auto expected = p != q ? p <=> q : s <=> t;
          ASSERT_EQ(Row(Edges()[p], s) <=> Row(Edges()[q], t), expected);
        }
      }
    }
  }
}

TEST(KeyCodecTest, APartitionIsOneContiguousRange) {
  for (const std::string_view partition : Edges()) {
    const KeyRange range = PrefixRange(KeyPrefix(kTable, {&partition, 1}));
    for (const std::string_view other : Edges()) {
      for (const std::string_view sort : Edges()) {
        EXPECT_EQ(range.Contains(Row(other, sort).bytes()), other == partition);
      }
    }
  }
}

// Returns true if `sort` fulfils the condition on a sort key.
bool Holds(Operator op, std::string_view sort, std::string_view value, std::string_view upper) {
  switch (op) {
    case Operator::kEqual:
      return sort == value;
    case Operator::kLess:
      return sort < value;
    case Operator::kLessOrEqual:
      return sort <= value;
    case Operator::kGreater:
      return sort > value;
    case Operator::kGreaterOrEqual:
      return sort >= value;
    case Operator::kBetween:
      return value <= sort && sort <= upper;
    case Operator::kBeginsWith:
      return sort.starts_with(value);
  }
  return false;
}

class RangeTest : public testing::TestWithParam<Operator> {};

TEST_P(RangeTest, ContainsExactlyTheRowsAndEntriesThatFulfilTheCondition) {
  const Operator op = GetParam();
  const std::string_view partition = "p";
  const EncodedKey prefix = KeyPrefix(kTable, {&partition, 1});
  for (const std::string_view value : Edges()) {
    for (const std::string_view upper : Edges()) {
      if (op != Operator::kBetween && upper != value) continue;
      const SortKeyBounds bounds{op, value, upper};
      const KeyRange rows = SortKeyRange(prefix, bounds, SortKeyForm::kRaw);
      const KeyRange entries = SortKeyRange(prefix, bounds, SortKeyForm::kTerminated);
      for (const std::string_view sort : Edges()) {
        const bool holds = Holds(op, sort, value, upper);
        EXPECT_EQ(rows.Contains(Row("p", sort).bytes()), holds);
        for (const std::string_view row_partition : {"\0"sv, "r"sv, "\xff\xff"sv}) {
          const EncodedKey entry = IndexEntryKey(kTable, {"p", sort}, {row_partition, "any"});
          EXPECT_EQ(entries.Contains(entry.bytes()), holds);
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Operators, RangeTest,
                         testing::Values(Operator::kEqual, Operator::kLess, Operator::kLessOrEqual,
                                         Operator::kGreater, Operator::kGreaterOrEqual,
                                         Operator::kBetween, Operator::kBeginsWith));

}  // namespace
}  // namespace dolmen::engine
