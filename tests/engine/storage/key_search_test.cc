#include "engine/storage/key_search.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace dolmen::engine {
namespace {

using namespace std::string_view_literals;

// The maximum number of calls in one search. No search in these tests reaches it.
constexpr int kCallsMax = 1000;

EncodedKey KeyOf(std::string_view bytes) { return EncodedKey::FromBytes(bytes); }

KeyRange RangeOf(std::string_view lower, std::string_view upper) {
  return {KeyOf(lower), KeyOf(upper)};
}

// Runs FirstKeyPastBorder(). The search calls `is_past_border` with a key and with the number of
// earlier calls. `is_past_border` returns true if the key lies past the border.
template <typename IsPastBorderThen>
std::optional<std::string> Search(const KeyRange& range, IsPastBorderThen is_past_border) {
  int calls = 0;
  const auto found = FirstKeyPastBorder(range, [&](const EncodedKey& key) {
    EXPECT_GT(key, range.lower);
    EXPECT_LT(calls, kCallsMax);
    // After kCallsMax calls all keys lie past the border, so that every search ends.
    return is_past_border(key.bytes(), calls++) || calls > kCallsMax;
  });
  if (!found) return std::nullopt;
  return std::string(found->bytes());
}

// Runs a search with a fixed border: a key lies past the border if it is greater than `last`.
std::optional<std::string> SearchKeyAfter(const KeyRange& range, std::string_view last) {
  return Search(range, [&](std::string_view key, int) { return key > last; });
}

TEST(KeySearchTest, FindsTheLeastKeyPastTheBorder) {
  for (const std::string_view last :
       {"app"sv, "app\0"sv, "app\0\0x"sv, "appl"sv, "apple"sv, "b"sv, "c\xFF\xFF\xFF"sv,
        "c\xFF\xFFtail"sv, "m\0\xFF\1"sv, "zoo\xFE"sv}) {
    EXPECT_EQ(SearchKeyAfter(RangeOf("app", "zoo\xFF"), last), std::string(last) + '\0') << last;
  }
}

TEST(KeySearchTest, FindsTheKeyIfTheBoundsShareAPrefix) {
  const KeyRange range = RangeOf("same start, a", "same start, b");
  for (const std::string_view last :
       {"same start, a"sv, "same start, a\0"sv, "same start, axle"sv, "same start, a\xFF\xFF"sv}) {
    EXPECT_EQ(SearchKeyAfter(range, last), std::string(last) + '\0') << last;
  }
}

TEST(KeySearchTest, FindsNothingIfTheUpperBoundIsNotPastTheBorder) {
  EXPECT_EQ(SearchKeyAfter(RangeOf("a", "b"), "b"), std::nullopt);
  EXPECT_EQ(SearchKeyAfter(RangeOf("a", "b"), "c"), std::nullopt);
  EXPECT_EQ(SearchKeyAfter(RangeOf("a", "a"), "a"), std::nullopt);
}

// The border moves during the search, as it does when table files are replaced. The search ends,
// and its result is greater than the lower bound and not greater than the upper bound.
TEST(KeySearchTest, FindsAKeyOfTheRangeIfTheBorderMoves) {
  const KeyRange range = RangeOf("a", "k\xFF");
  for (const auto& [first, then] :
       {std::pair("abc"sv, "b"sv), std::pair("abc"sv, "abd"sv), std::pair("abc"sv, "z"sv),
        std::pair("c\xFF"sv, "c\xFFx"sv), std::pair("b"sv, "abc"sv), std::pair("b"sv, "a"sv)}) {
    for (int moment = 1; moment < 60; ++moment) {
      const auto found = Search(range, [&](std::string_view key, int calls) {
        return key > (calls < moment ? first : then);
      });
      ASSERT_TRUE(found) << first << ", " << then << ", " << moment;
      EXPECT_GT(*found, "a");
      EXPECT_LE(*found, "k\xFF");
    }
  }
}

// From call number `moment` on, no key lies past the border. In the store this happens if RocksDB
// can no longer estimate the bytes up to a key.
TEST(KeySearchTest, EndsIfNoKeyIsPastTheBorderAnyMore) {
  for (int moment = 1; moment < 60; ++moment) {
    const auto found = Search(RangeOf("a", "k"), [&](std::string_view key, int calls) {
      return calls < moment && key > "abc";
    });
    ASSERT_TRUE(found) << moment;
    EXPECT_GT(*found, "a");
    EXPECT_LE(*found, "k");
  }
}

}  // namespace
}  // namespace dolmen::engine
