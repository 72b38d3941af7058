#include "tests/support/contents.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "engine/base/status_macros.h"
#include "tests/support/status_matchers.h"

namespace dolmen::test {

Result<Contents> TryReadContents(const Table& table, const std::string& index) {
  Contents contents;
  ScanInput input{.index = index, .options = {.hide_expired = false}};
  do {
    DOLMEN_ASSIGN_OR_RETURN(const ScanOutput page, table.Scan(input));
    for (const ItemView view : page) {
      DOLMEN_RETURN_IF_ERROR(view.Check());
      DOLMEN_ASSIGN_OR_RETURN(Item item, view.Copy());
      const std::pair key(std::string(*view["PK"].AsString()), std::string(*view["SK"].AsString()));
      if (!contents.emplace(key, std::move(item)).second) {
        return Status::Corruption("two items with one key in \"" + index +
                                  "\": " + view.ToString());
      }
    }
    input.exclusive_start_key = page.last_evaluated_key();
  } while (!input.exclusive_start_key.empty());
  return contents;
}

Contents ReadContents(const Table& table, const std::string& index) {
  Result<Contents> contents = TryReadContents(table, index);
  EXPECT_THAT(contents, IsOk());
  return contents.ok() ? *std::move(contents) : Contents();
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
