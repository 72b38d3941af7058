// Tests of the bytes that DynamoDB charges for the clauses of an UpdateItem's UpdateExpression. The tests in
// tests/behaviour/update_charge_rules_test.cc test the limit.

#include <gmock/gmock.h>

#include <cstdint>
#include <string>
#include <vector>

#include "engine/expression/update.h"
#include "tests/engine/expression/bound_update.h"
#include "tests/support/status_matchers.h"

namespace dolmen::engine {
namespace {

TEST(UpdateChargeTest, ChargesEachClauseForItsNamesAndOperands) {
  struct Row {
    std::string text;
    Values values;
    std::uint64_t bytes;
    Names names = {};
  };
  for (
      const Row& row : std::vector<Row>{
          // A SET costs 19 bytes, its target and its operand.
          {"SET t = :v", {{":v", "yes"}}, 3 + 19 + 1 + 3},
          {"SET t = :v, u = :v", {{":v", "yes"}}, 3 + 2 * (19 + 1 + 3)},
          {"SET t = :v", {{":v", List{"a", 1}}}, 3 + 19 + 1 + (3 + 2 + 3)},
          // A placeholder of a name costs the name.
          {"SET #t = :v", {{":v", "yes"}}, 3 + 19 + 5 + 3, {{"#t", "title"}}},
          // Each step of a target after the first costs 4 bytes, and its name or digits.
          {"SET box.lid = :v", {{":v", ""}}, 3 + 19 + 3 + (4 + 3)},
          {"SET box[0] = :v", {{":v", ""}}, 3 + 19 + 3 + (4 + 1)},
          {"SET box[120] = :v", {{":v", ""}}, 3 + 19 + 3 + (4 + 3)},
          // An operand that is a path costs 1 byte, and for each step 14 bytes and its name or digits.
          {"SET t = note", {}, 3 + 19 + 1 + (1 + 14 + 4)},
          {"SET t = box.lid[12]", {}, 3 + 19 + 1 + (1 + (14 + 3) + (14 + 3) + (14 + 2))},
          // Operators and functions.
          {"SET n = n + :d", {{":d", 25}}, 3 + 19 + 1 + 34 + (1 + 14 + 1) + 2},
          {"SET n = n - :d", {{":d", 25}}, 3 + 75},
          {"SET n = if_not_exists(n, :d)", {{":d", 25}}, 3 + 19 + 1 + 39 + (1 + 14 + 1) + 2},
          {"SET l = list_append(l, :l)", {{":l", List{}}}, 3 + 19 + 1 + 37 + (1 + 14 + 1) + 3},
          {"SET n = if_not_exists(n, :z) + :d",
           {{":z", 0}, {":d", 25}},
           3 + 19 + 1 + 34 + (39 + (1 + 14 + 1) + 1) + 2},
          // ADD costs as much as SET. A removal costs its target and 1 byte.
          {"ADD n :d", {{":d", 25}}, 3 + 19 + 1 + 2},
          {"ADD s :s", {{":s", StringSet{"ab", "c"}}}, 3 + 19 + 1 + 3},
          {"DELETE s :s", {{":s", StringSet{"ab", "c"}}}, 3 + 1 + 1},
          {"REMOVE box.lid[12]", {}, 3 + 17},
          {"SET t = :v REMOVE u, w ADD n :d DELETE s :s",
           {{":v", "yes"}, {":d", 25}, {":s", StringSet{"ab"}}},
           3 + (19 + 1 + 3) + 2 * (1 + 1) + (19 + 1 + 2) + (1 + 1)},
      }) {
    const BoundUpdate update(row.text, row.values, row.names);
    ASSERT_THAT(update.status(), test::IsOk()) << row.text;
    EXPECT_EQ(update->ChargedBytes(), row.bytes) << row.text;
  }
}

}  // namespace
}  // namespace dolmen::engine
