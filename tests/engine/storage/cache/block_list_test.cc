// Tests of lists of blocks. After random changes a list has the same blocks as a vector.

#include "engine/storage/cache/block_list.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/support/random.h"

namespace dolmen::engine {
namespace {

std::string KeyOf(std::size_t number) {
  const std::string digits = std::to_string(number);
  return std::string(6 - digits.size(), '0') + digits;
}

ListedBlock Block(std::size_t number) {
  const std::string key = KeyOf(number);
  const CachedRow row = {key, "value"};
  return ListedBlock(RowBlock::Make({&row, 1}, {}));
}

std::vector<std::string> KeysOf(const BlockList& list) {
  std::vector<std::string> keys;
  for (std::size_t i = 0; i < list.size(); ++i) keys.emplace_back(list[i].key(0));
  return keys;
}

// A list whose blocks have the even numbers from 0 on, and the keys that it must have.
struct Checked {
  explicit Checked(std::size_t count) : list(std::vector<ListedBlock>()) {
    std::vector<ListedBlock> blocks;
    for (std::size_t i = 0; i < count; ++i) {
      blocks.push_back(Block(2 * i));
      keys.push_back(KeyOf(2 * i));
    }
    list = BlockList(std::move(blocks));
  }

  BlockList list;
  std::vector<std::string> keys;
};

class BlockListTest : public test::SeededTest {};

TEST_F(BlockListTest, RandomChangesGiveTheBlocksOfAVector) {
  Checked checked(random_.Below(3 * BlockList::kTailMax));
  for (int step = 0; step < 2000; ++step) {
    const std::size_t size = checked.keys.size();
    const std::size_t place = random_.OneIn(2)
                                  ? size - std::min<std::size_t>(size, random_.Below(3))
                                  : random_.Below(size + 1);
    std::vector<ListedBlock> blocks;
    std::vector<std::string> keys;
    for (std::size_t count = random_.Below(size > 4 * BlockList::kTailMax ? 2 : 3); count > 0;
         --count) {
      blocks.push_back(Block(random_.Below(1000)));
      keys.emplace_back(blocks.back().last_key);
    }
    checked.list = checked.list.With(place, blocks);
    const auto at = checked.keys.begin() + static_cast<std::ptrdiff_t>(place);
    const auto behind = place < size ? checked.keys.erase(at) : at;
    checked.keys.insert(behind, keys.begin(), keys.end());
    ASSERT_EQ(KeysOf(checked.list), checked.keys);
    std::size_t bytes = checked.list.size() * sizeof(ListedBlock);
    for (std::size_t i = 0; i < checked.list.size(); ++i) bytes += checked.list[i].bytes();
    ASSERT_EQ(checked.list.bytes(), bytes);
  }
}

TEST_F(BlockListTest, LowerBoundFindsTheBlockOfAKey) {
  for (const std::size_t count : {0, 1, 32, 33, 100}) {
    const Checked checked(count);
    for (std::size_t number = 0; number <= 2 * count; ++number) {
      const auto expected =
          std::lower_bound(checked.keys.begin(), checked.keys.end(), KeyOf(number));
      EXPECT_EQ(checked.list.LowerBound(KeyOf(number)),
                static_cast<std::size_t>(expected - checked.keys.begin()))
          << count << ", " << number;
    }
  }
}

TEST_F(BlockListTest, CopyToAppendsAPart) {
  const Checked checked(50);
  for (std::size_t begin = 0; begin <= 50; ++begin) {
    for (std::size_t end = begin; end <= 50; ++end) {
      std::vector<ListedBlock> part;
      checked.list.CopyTo(begin, end, &part);
      ASSERT_EQ(part.size(), end - begin);
      if (begin < end) {
        EXPECT_EQ(part.front().last_key, checked.keys[begin]);
        EXPECT_EQ(part.back().last_key, checked.keys[end - 1]);
      }
    }
  }
}

}  // namespace
}  // namespace dolmen::engine
