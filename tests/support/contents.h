// The full contents of a table or an index, and the items on all pages.

#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "dolmen/dolmen.h"
#include "tests/support/status_matchers.h"

namespace dolmen::test {

// Items by partition key and sort key (PK and SK, strings).
using Contents = std::map<std::pair<std::string, std::string>, Item>;

// Returns all items of the table or of the named index, expired items included.
// - kCorruption: an item is damaged, or two items have the same key.
// - any other error: the items cannot be read.
Result<Contents> TryReadContents(const Table& table, const std::string& index);

// Returns the result of TryReadContents. An error fails the test.
Contents ReadContents(const Table& table, const std::string& index = "");

// Returns the entries that an index over `rows` must hold. The key of the index is `key_attribute`,
// and the index projects `attributes`. Rows without the key attribute have no entry.
Contents Projected(const Contents& rows, const std::string& key_attribute,
                   const std::vector<std::string>& attributes);

// Calls visit(ItemView) for each item on all pages of a Query or a Scan. An error fails the test.
template <typename Input, typename Visit>
void VisitItems(const Table& table, Input input, const Visit& visit) {
  do {
    const Result<QueryOutput> page = [&] {
      if constexpr (std::is_same_v<Input, QueryInput>) {
        return table.Query(input);
      } else {
        return table.Scan(input);
      }
    }();
    EXPECT_THAT(page, IsOk());
    if (!page.ok()) return;
    for (const ItemView item : *page) visit(item);
    input.exclusive_start_key = page->last_evaluated_key();
  } while (!input.exclusive_start_key.empty());
}

// Returns the sort keys (SK, strings) of the items on all pages of a Query or a Scan.
template <typename Input>
std::vector<std::string> SortKeys(const Table& table, const Input& input) {
  std::vector<std::string> keys;
  VisitItems(table, input, [&](ItemView item) { keys.emplace_back(*item["SK"].AsString()); });
  return keys;
}

}  // namespace dolmen::test
