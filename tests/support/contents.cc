#include "tests/support/contents.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "tests/support/status_matchers.h"

namespace dolmen::test {

Contents ReadContents(const Table& table, const std::string& index) {
  Contents contents;
  ScanInput input{.index = index, .options = {.hide_expired = false}};
  do {
    const auto page = table.Scan(input);
    EXPECT_THAT(page, IsOk());
    if (!page.ok()) return contents;
    for (const ItemView item : *page) {
      EXPECT_THAT(item.Check(), IsOk());
      const auto [at, added] =
          contents.emplace(std::pair(*item["PK"].AsString(), *item["SK"].AsString()), *item.Copy());
      EXPECT_TRUE(added) << "two items with one key in \"" << index << "\": " << item.ToString();
    }
    input.exclusive_start_key = page->last_evaluated_key();
  } while (!input.exclusive_start_key.empty());
  return contents;
}

Contents Projected(const Contents& rows, const std::string& key_attribute,
                   const std::vector<std::string>& attributes) {
  Contents entries;
  for (const auto& [key, row] : rows) {
    if (!row.contains(key_attribute)) continue;
    Item entry;
    for (const auto& [name, value] : row) {
      if (std::ranges::count(attributes, name) != 0) entry.emplace(name, value);
    }
    entries.emplace(key, std::move(entry));
  }
  return entries;
}

}  // namespace dolmen::test
