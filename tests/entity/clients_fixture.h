// A table with the items that a client library has written, for tests of entities that read and
// change these items. tests/clients/README.md tells how the files are recorded.

#pragma once

#include <dolmen/dolmen.h>
#include <dolmen/entity.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "tests/support/items.h"
#include "tests/support/status_matchers.h"
#include "tests/support/value.h"

namespace dolmen::clients {

// The names of the key attributes of a table or an index.
struct KeyNames {
  std::string partition = {};
  std::string sort = {};
};

// Returns a primary key whose attributes are `pk` and `sk`.
consteval KeyDeclaration LowerKey(std::string_view partition, std::string_view sort) {
  return PrimaryKey(partition, sort).Named("pk", "sk");
}

class ClientsTest : public testing::Test {
 protected:
  // Returns a table with the items of items/<client>.jsonl and one index.
  EntityTable Load(const std::string& client, const KeyNames& key, const std::string& index,
                   const KeyNames& index_key);

  // Compares all items of the table with items/<client>_updated.jsonl, which the client reads in its
  // own test. If the variable DOLMEN_RECORD is set, writes this file instead.
  void ExpectUpdated(const EntityTable& table) const;

 private:
  Database database_ = test::Value(Database::InMemory());
  std::string client_;
};

}  // namespace dolmen::clients
