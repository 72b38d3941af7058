#include "command/table_digest.h"

#include <algorithm>

#include "tests/command/command_fixture.h"
#include "tests/support/items.h"
#include "tests/support/value.h"

namespace dolmen::test {
namespace {

using command::DigestOf;
using command::TableDigest;

class TableDigestTest : public CommandTest {
 protected:
  Table MakeTable(const std::vector<Item>& items) {
    const Database database = Value(Database::InMemory({.expiry_lag = std::nullopt}));
    const Table table = Value(database.CreateTable({.name = "app"}));
    for (const Item& item : items) EXPECT_THAT(table.PutItem({.item = item}), IsOk());
    return table;
  }

  static TableDigest Digest(const Table& table, std::uint32_t segments = 1) {
    return Value(DigestOf(table, segments, [](const ScanOutput&) { return true; }));
  }

  std::vector<Item> RandomItems() {
    std::vector<Item> items;
    for (int i = 0; i < 200; ++i) items.push_back(RandomItem(&random_, i));
    return items;
  }
};

TEST_F(TableDigestTest, EqualItemsHaveOneDigestInAnyOrderAndAnySegments) {
  std::vector<Item> items = RandomItems();
  const TableDigest digest = Digest(MakeTable(items));
  EXPECT_EQ(digest.items, items.size());
  std::ranges::reverse(items);
  EXPECT_EQ(Digest(MakeTable(items), 7), digest);
}

TEST_F(TableDigestTest, AnotherAttributeOrItemGivesAnotherDigest) {
  const std::vector<Item> items = RandomItems();
  const TableDigest digest = Digest(MakeTable(items));
  for (const std::size_t changed : {std::size_t{0}, items.size() / 2, items.size() - 1}) {
    std::vector<Item> others = items;
    others[changed].insert_or_assign("added", true);
    EXPECT_NE(Digest(MakeTable(others)), digest) << changed;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(changed));
    EXPECT_NE(Digest(MakeTable(others)), digest) << changed;
  }
}

TEST_F(TableDigestTest, TheSumCarriesIntoItsUpperHalf) {
  TableDigest sum{.items = 1, .low = UINT64_MAX, .high = 1};
  sum.Add(TableDigest{.items = 2, .low = 2, .high = UINT64_MAX});
  EXPECT_EQ(sum, (TableDigest{.items = 3, .low = 1, .high = 1}));
}

}  // namespace
}  // namespace dolmen::test
