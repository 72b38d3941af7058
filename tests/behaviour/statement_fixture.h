// A fixture for the tests of PartiQL statements. Its tables are:
//
// - Tbl, with the key pk (S) and sk (N), the global index gidx on g (S) and sk, which projects only
//   keys, and the local index lidx on l (S). The partition `a` has five items with sk 0 to 4, and
//   the partition `b` has one.
// - Hsh, with the key id (S) and without items.

#pragma once

#include <gmock/gmock.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/behaviour/fixture.h"
#include "tests/support/value.h"

namespace dolmen::behaviour {

// A statement, its parameters, and the expected items or message. An item is its text, as
// ItemView::ToString writes it.
struct StatementRule {
  std::string statement;
  List parameters;
  std::vector<std::string> items;
};
struct StatementRefusalRule {
  std::string statement;
  List parameters;
  std::string message;
};

class StatementTest : public testing::Test {
 protected:
  StatementTest() {
    CreateTableInput table;
    table.name = "Tbl";
    table.partition_key = {.name = "pk"};
    table.sort_key = KeyAttribute{"sk", AttributeType::kN};
    table.global_secondary_indexes = {{.name = "gidx",
                                       .partition_key = {{.name = "g"}},
                                       .sort_key = {{"sk", AttributeType::kN}},
                                       .projection = ProjectionType::kKeysOnly}};
    table.local_secondary_indexes = {{.name = "lidx", .sort_key = {.name = "l"}}};
    tbl_.emplace(test::Value(db_.CreateTable(table)));
    for (int i = 0; i < 5; ++i) {
      const std::string number = std::to_string(i);
      Put({{"pk", "a"},
           {"sk", i},
           {"v", i * 10},
           {"s", "str" + number},
           {"g", "g1"},
           {"l", "l" + number},
           {"m", Map{{"x", i}, {"y", List{"y0", "y1"}}}},
           {"ss", StringSet{"p", "q"}}});
    }
    Put({{"pk", "b"}, {"sk", 1}, {"v", "str"}});
    CreateTableInput hash;
    hash.name = "Hsh";
    hash.partition_key = {.name = "id"};
    hash.sort_key = std::nullopt;
    EXPECT_THAT(db_.CreateTable(hash), IsOk());
  }

  void Put(const Item& item) { EXPECT_THAT(tbl_->PutItem({.item = item}), IsOk()); }

  // Returns the texts of the items of a page, or the message of the error.
  static std::vector<std::string> Texts(const Result<ExecuteStatementOutput>& output) {
    if (!output.ok()) return {output.status().message()};
    std::vector<std::string> texts;
    for (const ItemView item : output->page) texts.push_back(item.ToString());
    return texts;
  }
  std::vector<std::string> Execute(const std::string& statement, List parameters = {}) const {
    return Texts(db_.Execute(statement, std::move(parameters)));
  }

  void ExpectItems(const std::vector<StatementRule>& rules) const {
    for (const StatementRule& rule : rules) {
      EXPECT_EQ(Execute(rule.statement, rule.parameters), rule.items) << rule.statement;
    }
  }
  void ExpectRefusals(const std::vector<StatementRefusalRule>& rules) const {
    for (const StatementRefusalRule& rule : rules) {
      const auto output = db_.Execute(rule.statement, rule.parameters);
      EXPECT_EQ(output.status().code(), kValidation) << rule.statement;
      EXPECT_EQ(output.status().message(), rule.message) << rule.statement;
    }
  }

  const Database db_ = test::Value(Database::InMemory());
  std::optional<Table> tbl_;
};

}  // namespace dolmen::behaviour
