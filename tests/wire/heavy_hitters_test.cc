// Tests of the sketch that counts the most frequent keys.

#include "wire/heavy_hitters.h"

#include <gmock/gmock.h>

#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tests/support/random.h"

namespace dolmen::test {
namespace {

using wire::HeavyHitters;

std::string Text(const HeavyHitters::Entry& entry) {
  return entry.key + "=" + std::to_string(entry.count) + "-" + std::to_string(entry.error);
}
std::vector<std::string> TopOf(const HeavyHitters& keys, std::size_t count_max = 10) {
  std::vector<std::string> texts;
  for (const auto& entry : keys.Top(count_max)) texts.push_back(Text(entry));
  return texts;
}

TEST(HeavyHittersTest, CountsAreExactWhileEachKeyHasACounter) {
  HeavyHitters keys(3);
  for (const char* key : {"a", "b", "a", "c", "a", "b"}) keys.Add(key);
  EXPECT_THAT(TopOf(keys), testing::ElementsAre("a=3-0", "b=2-0", "c=1-0"));
  EXPECT_THAT(TopOf(keys, 1), testing::ElementsAre("a=3-0"));
  EXPECT_EQ(keys.total(), 6u);
}

TEST(HeavyHittersTest, ANewKeyTakesTheCounterWithTheLeastCount) {
  HeavyHitters keys(2);
  for (const char* key : {"a", "a", "a", "b", "b", "c"}) keys.Add(key);
  EXPECT_THAT(TopOf(keys), testing::UnorderedElementsAre("a=3-0", "c=3-2"));
}

class HeavyHittersRandomTest : public SeededTest {};

TEST_F(HeavyHittersRandomTest, TheErrorsStayWithinTheirBound) {
  for (int round = 0; round < 20; ++round) {
    const std::size_t counters = 1 + random_.Below(50);
    const std::size_t distinct = 1 + random_.Below(500);
    // With a greater exponent, few keys are much more frequent than the others.
    const double exponent = 1 + static_cast<double>(random_.Below(6));
    HeavyHitters keys(counters);
    std::map<std::string, std::uint64_t> exact;
    const std::size_t total = 1 + random_.Below(20'000);
    for (std::size_t i = 0; i < total; ++i) {
      const double uniform = static_cast<double>(random_.Below(1 << 20)) / (1 << 20);
      const auto number =
          static_cast<std::size_t>(std::pow(uniform, exponent) * static_cast<double>(distinct));
      const std::string key = std::to_string(number);
      keys.Add(key);
      ++exact[key];
    }
    const std::uint64_t bound = total / counters;
    std::map<std::string, HeavyHitters::Entry> counted;
    std::uint64_t before = total;
    for (const auto& entry : keys.Top(counters + 1)) {
      EXPECT_LE(entry.count, before) << "not in the order of the counts";
      before = entry.count;
      EXPECT_GE(entry.count, exact[entry.key]);
      EXPECT_LE(entry.count, exact[entry.key] + entry.error);
      EXPECT_LE(entry.error, bound);
      counted.emplace(entry.key, entry);
    }
    EXPECT_LE(counted.size(), counters);
    for (const auto& [key, count] : exact) {
      EXPECT_TRUE(count <= bound || counted.contains(key))
          << key << " occurs " << count << " times";
    }
    EXPECT_EQ(keys.total(), total);
  }
}

}  // namespace
}  // namespace dolmen::test
